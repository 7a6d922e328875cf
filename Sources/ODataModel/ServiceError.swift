/// The error object of an OData error response.
///
/// [OData-JSON, section 21]
public struct ServiceError: Hashable, Sendable {
    /// One of several things that were wrong.
    public struct Detail: Hashable, Sendable {
        public var code: String
        public var message: String
        public var target: String?

        public init(code: String, message: String, target: String? = nil) {
            self.code = code
            self.message = message
            self.target = target
        }
    }

    public var code: String
    public var message: String
    public var target: String?
    public var details: [Detail]
    /// JSON text.
    public var innerError: String?

    public init(
        code: String, message: String, target: String? = nil, details: [Detail] = [], innerError: String? = nil
    ) {
        self.code = code
        self.message = message
        self.target = target
        self.details = details
        self.innerError = innerError
    }
}
