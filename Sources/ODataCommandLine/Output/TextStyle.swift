/// How a part of the text looks on a terminal with colours.
enum TextStyle: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    /// What begins it on a terminal with colours, and what ends any style.
    var start: String { "\u{1B}[\(rawValue)m" }
    static let end = "\u{1B}[0m"

    /// The text as it is where there are no colours.
    func applied(to text: String, on terminal: Terminal) -> String {
        terminal.hasColours ? start + text + Self.end : text
    }
}
