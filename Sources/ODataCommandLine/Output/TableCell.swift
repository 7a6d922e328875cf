/// A value of a table, or the name of a column.
struct TableCell {
    /// In one line; `null` where there is none.
    let text: String
    private let isNull: Bool
    private let isName: Bool

    /// Whether it is neither null nor a name.
    var isValue: Bool { !isNull && !isName }

    init(_ value: String?, isName: Bool) {
        text = value?.singleLine ?? "null"
        isNull = value == nil
        self.isName = isName
    }

    init(_ value: String?) { self.init(value, isName: false) }

    /// Whether no part of it may be cut. See ``ValueForm``.
    var isWhole: Bool { isValue && ValueForm.isWhole(text) }

    /// The text in a column of this width. A text without spaces, as URLs are, is cut in its middle: its end reports it
    /// apart.
    ///
    /// - Parameter isKept: Whether the text is not cut, but makes the line longer.
    func text(in width: Int, isRight: Bool, isKept: Bool = false, on terminal: Terminal) -> String {
        let isWord = !isName && !isRight && text.unicodeScalars.allSatisfy { $0.isASCII && $0 != " " }
        let fitted = isKept ? text : isWord ? text.fittedAtEnds(to: width) : text.fitted(to: width)
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
