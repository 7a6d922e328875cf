/// What goes wrong with one request, as it does with real services.
package struct FeatureServerFault: Sendable {
    package enum Effect: Sendable {
        /// What was asked for is done; the connection breaks before the response's body.
        case loseResponse
        /// `{"error": …}` with HTTP status 200 instead of what was asked for, which is not done.
        case error(code: Int, message: String)
        /// The first edit of the request fails in its row.
        case refuseEdit(code: Int, description: String)
        /// A page in HTML with this HTTP status, from a gateway before the service.
        case page(status: Int)
        /// The connection breaks after that many bytes of the response's body.
        case cut(after: Int64)
        /// All uploaded items are gone.
        case forgetUploads
        /// All tokens are invalid.
        case forgetTokens
    }

    package var operation: FeatureServerOperation
    package var effect: Effect
    /// How many requests of the operation go well before.
    package var skipping: Int

    package init(_ effect: Effect, on operation: FeatureServerOperation, skipping: Int = 0) {
        self.effect = effect
        self.operation = operation
        self.skipping = skipping
    }
}
