/// Prints a JSON document in pieces: on a terminal in indented lines, with colours where it has them; elsewhere every
/// byte as it is.
struct JSONOutput {
    private var layout: TerminalJSON?
    private var filter = TerminalFilter()

    /// - Parameter isUnchanged: Whether it is printed as it is on a terminal too.
    init(isUnchanged: Bool = false) {
        if Terminal.output.isTerminal, !isUnchanged { layout = TerminalJSON(on: .output) }
    }

    mutating func write(_ bytes: [UInt8]) {
        guard layout != nil else { return Console.write(bytes: bytes) }
        show(filter.text(bytes))
    }

    /// Ends the document.
    ///
    /// - Parameter endsLine: Whether the line is ended where standard output is not a terminal.
    mutating func finish(endsLine: Bool = true) {
        guard layout != nil else {
            if endsLine { Console.write("") }
            return
        }
        show(filter.end())
        Console.writeStyled(bytes: (layout?.end() ?? []) + [UInt8(ascii: "\n")])
    }

    private mutating func show(_ harmless: [UInt8]) {
        guard let text = layout?.text(harmless) else { return }
        Console.writeStyled(bytes: text)
    }

    /// Prints a whole document.
    static func print(_ json: [UInt8], endsLine: Bool = true) {
        var output = JSONOutput()
        output.write(json)
        output.finish(endsLine: endsLine)
    }
}
