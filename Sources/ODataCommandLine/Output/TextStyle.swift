/// How a part of the text looks on a terminal with colours.
enum TextStyle: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"
    case cyan = "36"

    /// The text as it is where there are no colours.
    func applied(to text: String, on terminal: Terminal) -> String {
        terminal.hasColours ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
