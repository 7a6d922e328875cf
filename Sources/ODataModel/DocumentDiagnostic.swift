/// A survivable problem in metadata or a payload: reading continues, and the caller receives the diagnostic.
public struct DocumentDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a sentence for the user.
    public var message: String
    /// From 1; nil where unknown.
    public var line: Int?
    /// From 1; nil where unknown.
    public var column: Int?

    /// A problem at a place of a document, or at one that is not known.
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
