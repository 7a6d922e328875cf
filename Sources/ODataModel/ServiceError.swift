/// The error object of an OData error response.
///
/// [OData-JSON, section 21]
public struct ServiceError: Hashable, Sendable {
    /// One of several things that were wrong.
    public struct Detail: Hashable, Sendable {
        /// A code for programs, in no language; empty where the service sends none.
        public var code: String
        /// A text for the user, in the language of the response; empty where the service sends none.
        public var message: String
        /// What is at fault, for example the name of a property; nil where the service does not say.
        public var target: String?

        /// One of the things that were wrong; without a target it is of the request as a whole.
        public init(code: String, message: String, target: String? = nil) {
            self.code = code
            self.message = message
            self.target = target
        }
    }

    /// A code for programs, in no language; empty where the service sends none. Each service has codes of its own.
    public var code: String
    /// A text for the user, in the language that `Content-Language` names; empty where the service sends none.
    public var message: String
    /// What is at fault, for example the name of a property; nil where the service does not say.
    public var target: String?
    /// The single things that were wrong, where the service reports them separately; else empty.
    public var details: [Detail]
    /// JSON text.
    public var innerError: String?

    /// An error object. An `innerError` that is not JSON is left out when the error is written as JSON.
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
