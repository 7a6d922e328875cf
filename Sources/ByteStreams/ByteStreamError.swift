#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why bytes could not be read.
public struct ByteStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that acts on it.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for logs: that of the constant, such as `pastEnd`.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The ``name``.
        public var description: String { name }

        /// There is no such file, or it is gone.
        public static let notFound = Code("notFound")
        /// What is there cannot be read: no permission, a folder or device, an input error.
        public static let unreadable = Code("unreadable")
        /// An offset behind the last byte.
        public static let pastEnd = Code("pastEnd")
        /// The source is not what it was when it was first opened.
        public static let changed = Code("changed")
        /// The source can be read on after it has been opened again at the offset reached.
        public static let invalidated = Code("invalidated")
        /// The content can be read once, and was opened a second time or not at its start.
        public static let notReplayable = Code("notReplayable")
        /// There are more bytes than the reader allows.
        public static let tooLong = Code("tooLong")
    }

    /// What programs decide by; new codes may come.
    public var code: Code
    /// A sentence for the user, which names the file or the limit where there is one.
    public var message: String

    /// An error of a source of the app's own, with one of the codes above.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(opening path: String, errno number: Int32) {
        let code: Code = number == ENOENT ? .notFound : number == ESTALE ? .invalidated : .unreadable
        self.init(code, "\(path) cannot be read: \(String(cString: strerror(number))).")
    }

    init(offset: Int64, outside length: Int64, of name: String) {
        self.init(.pastEnd, "Offset \(offset) is outside the \(length) bytes of \(name).")
    }

    public var description: String { message }
}
