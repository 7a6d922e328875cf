import ODataModel

/// `{"error": {"code": 498, "message": "Invalid token.", "details": []}}`, sent with HTTP status 200.
struct RestError: Error, Sendable {
    var code: Int
    var message: String
    var messageCode: String?
    var details: [String]? = []

    /// [Esri: Invalid or missing input parameters]
    static func invalid(_ detail: String? = nil) -> RestError {
        RestError(
            code: 400, message: "Invalid or missing input parameters.", details: detail.map { [$0] })
    }

    static func notFound(_ what: String) -> RestError { RestError(code: 404, message: "\(what) not found.") }

    static let invalidURL = RestError(code: 400, message: "Invalid URL", details: ["Invalid URL"])

    static let methodNotAllowed = RestError(
        code: 405, message: "Method Not Allowed", details: ["This operation is only supported via POST."])

    static func notPermitted(_ detail: String) -> RestError {
        RestError(
            code: 403, message: "You do not have permissions to access this resource or perform this operation.",
            details: [detail])
    }

    static let invalidToken = RestError(code: 498, message: "Invalid token.")

    static let tokenRequired = RestError(
        code: 499, message: "Token Required", messageCode: "GWM_0003", details: ["Token Required"])

    static func noToken(_ detail: String) -> RestError {
        RestError(code: 400, message: "Unable to generate token.", details: [detail])
    }

    var bytes: [UInt8] {
        var text = JSONText()
        text.object { text in
            text.object("error") { text in
                text.member("code", code)
                text.member("message", message)
                text.member("messageCode", messageCode)
                guard let details else { return }
                text.array("details") { text in
                    for detail in details { text.string(detail) }
                }
            }
        }
        return text.bytes
    }
}
