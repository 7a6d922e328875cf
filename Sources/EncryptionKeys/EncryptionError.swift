/// Why something encrypted cannot be opened.
public struct EncryptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that acts on it.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for logs: that of the constant, such as `wrongKey`.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The ``name``.
        public var description: String { name }

        /// The bytes are not a key of 256 bits.
        public static let unusableKey = Code("unusableKey")
        /// What is there was encrypted with another key.
        public static let wrongKey = Code("wrongKey")
        /// What is there is encrypted, and no key was given.
        public static let keyNeeded = Code("keyNeeded")
        /// A key was given, and what is there is not encrypted.
        public static let notEncrypted = Code("notEncrypted")
        /// What is there has been changed or cut since it was written.
        public static let damaged = Code("damaged")
        /// A newer release has written it.
        public static let unsupportedVersion = Code("unsupportedVersion")
        /// The file system refused.
        public static let inputOutput = Code("inputOutput")
    }

    /// What programs decide by; new codes may come.
    public var code: Code
    /// A sentence for the user, which names the file and no key.
    public var message: String
    /// What the system said (errno), where it refused.
    package var systemError: Int32?

    /// An error without the system's number, ready to be thrown.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
