/// A value of a table, or the name of a column.
struct TableCell {
    /// In one line; `null` where there is none.
    let text: String
    private let isNull: Bool
    private let isName: Bool

    init(_ value: String?, isName: Bool) {
        text = value?.singleLine ?? "null"
        isNull = value == nil
        self.isName = isName
    }

    init(_ value: String?) { self.init(value, isName: false) }

    /// The text in a column of this width. A text without spaces, as ids and URLs are, is cut in its middle: its end
    /// reports it apart.
    func text(in width: Int, isRight: Bool, on terminal: Terminal) -> String {
        let isWord = !isName && !isRight && text.unicodeScalars.allSatisfy { $0.isASCII && $0 != " " }
        let fitted = isWord ? text.fittedAtEnds(to: width) : text.fitted(to: width)
        let spaces = String(repeating: " ", count: max(0, width - fitted.columns))
        return isRight ? spaces + styled(fitted, terminal) : styled(fitted, terminal) + spaces
    }

    /// All of the text in lines of at most this width.
    func lines(of width: Int, on terminal: Terminal) -> [String] {
        text.wrapped(to: width).map { styled($0, terminal) }
    }

    private func styled(_ text: String, _ terminal: Terminal) -> String {
        isNull ? TextStyle.dim.applied(to: text, on: terminal) : text
    }
}
