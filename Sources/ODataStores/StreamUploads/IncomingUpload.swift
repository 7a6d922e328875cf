/// A stream that is uploaded in several requests.
package struct IncomingUpload: Hashable, Sendable {
    /// Before the token in the id that makes the change repeatable where the client gives none: `upload-4f2c…`.
    package static let requestIDPrefix = "upload-"

    /// Names it; cannot be guessed.
    package var token: String
    /// The user that may continue it; nil: every client with the token.
    package var owner: String?
    /// What is to be done with the whole stream: only the service reads it.
    package var request: [UInt8]
    /// Of the whole stream in bytes; nil as long as it is not known.
    package var length: Int64?
    /// How many bytes are on the device.
    package var offset: Int64 = 0
    /// What became of it; nil until it is whole and used. Only the service reads it.
    package var response: [UInt8]?
    /// When it is removed, in seconds after 1970.
    package var expires: Int64

    package init(token: String, owner: String?, request: [UInt8], length: Int64?, expires: Int64) {
        self.token = token
        self.owner = owner
        self.request = request
        self.length = length
        self.expires = expires
    }
}
