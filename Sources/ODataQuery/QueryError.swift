/// Why a URL or a part of one was not understood.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that acts on it.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for logs: that of the constant, such as `unknownName`.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The ``name``.
        public var description: String { name }

        /// The text is not of the grammar.
        public static let syntax = Code("syntax")
        /// No such entity set, property, navigation property, function or option.
        public static let unknownName = Code("unknownName")
        /// Operand, argument or key value of a type that does not fit.
        public static let typeMismatch = Code("typeMismatch")
        /// Understood, but not supported: the service returns 501.
        public static let notImplemented = Code("notImplemented")
        /// A limit on length, depth or count was passed.
        public static let limitExceeded = Code("limitExceeded")
    }

    /// What programs decide by; new codes may come.
    public var code: Code
    /// A sentence for the user, without the position and what could stand there: those are in the description.
    public var message: String
    /// Unicode scalars from the start of the text given to the parser, from 0; nil without a single place.
    public var position: Int?
    /// What is at the position.
    public var found: String?
    /// What is allowed there.
    public var expected: String?

    /// An error of the text as a whole, unless a position is given.
    public init(
        _ code: Code, _ message: String, position: Int? = nil, found: String? = nil, expected: String? = nil
    ) {
        self.code = code
        self.message = message
        self.position = position
        self.found = found
        self.expected = expected
    }

    public var description: String {
        var text = message
        if let position { text += " (at position \(position)" + (found.map { ", found \($0)" } ?? "") + ")" }
        if let expected { text += "; expected \(expected)" }
        return text
    }
}
