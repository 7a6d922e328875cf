/// A survivable problem in metadata or a payload: reading goes on, and the caller is told.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    public var message: String
    /// From 1; nil where unknown.
    public var line: Int?
    /// From 1; nil where unknown.
    public var column: Int?

    public init(message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    public var description: String {
        guard let line else { return message }
        return "\(line):\(column ?? 1): \(message)"
    }
}
