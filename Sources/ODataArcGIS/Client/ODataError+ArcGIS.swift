import ByteStreams
import ODataModel
import ODataOnline
import ODataStores
import ODataTransport

extension ODataError {
    /// The error in a response, whatever its HTTP status; nil if it has none.
    ///
    /// ```
    /// {"error":{"code":499,"message":"Token Required","messageCode":"GWM_0003","details":["Token Required"]}}
    /// {"status":"failure","code":500,"message":"Error getting subscription info","details":null}
    /// ```
    init?(response node: JSONNode) {
        if let error = node.member("error"), error.members != nil {
            self.init(object: error)
            return
        }
        guard let status = node.member("status")?.string?.lowercased(),
            ["error", "failure", "failed"].contains(status)
        else { return nil }
        self.init(object: node)
    }

    /// The error of a row; nil if the row says `"success":true`.
    ///
    /// `{"objectId":99,"success":false,"error":{"code":404,"description":"Not found"}}`
    init?(row node: JSONNode) {
        guard !node.isTrue("success") else { return nil }
        guard let error = node.member("error"), error.members != nil else {
            self.init(.invalidResponse, "The service did not do it, and does not say why.")
            return
        }
        self.init(object: error)
    }

    /// `{"code":1008,"description":"Attachment upload failed."}`
    private init(object: JSONNode) {
        let number = object.member("code")?.wholeNumber
        let details = object.member("details", "messages")?.elements?.compactMap(\.string) ?? []
        let told = object.member("message", "description", "statusMessage", "error_description")?.string ?? ""
        let main = told.isEmpty ? details.first ?? "The service gives no reason." : told
        let others = details.filter { $0 != main && !$0.isEmpty }
        self.init(
            number.map { Code(arcGIS: $0) } ?? .badRequest, ([main] + others).joined(separator: " "))
        service = ServiceError(
            code: number.map { "\($0)" } ?? "", message: main,
            details: others.map { ServiceError.Detail(code: "", message: $0) })
    }

    /// Whether the service refused the token, or requires one: 498, 499, and 401 of a gateway before it.
    var isTokenRefused: Bool {
        ["498", "499"].contains(service?.code) || [401, 498, 499].contains(status)
    }

    /// A gateway that got no response: in the status of HTTP, or in an error.
    var isOfGateway: Bool {
        let codes = [service.flatMap { Int($0.code) }, status]
        return codes.contains(408) || codes.contains(502) || codes.contains(504)
            || codes.contains(503) && retryAfter == nil
    }

    /// The response to a request is missing or incomplete.
    init(noResponse error: any Error, isEdit: Bool) {
        switch error {
        case let error as ODataError: self = error
        case let error as TransportError:
            self.init(Code(error.code), error.message, cause: error)
            let isLost = !error.isBeforeSending && error.code != .redirect
            isOutcomeUnknown = isEdit && (error.mayHaveActedBefore || isLost)
        case let error as ByteStreamError:
            self.init(.storage, "The content of the request cannot be read: \(error)", cause: error)
        case is CancellationError:
            self.init(.cancelled, "The request was cancelled.", cause: error)
            isOutcomeUnknown = isEdit
        default: self.init(.internalError, "The request failed: \(error)", cause: error)
        }
    }

    /// A response that began could not be read to its end.
    init(reading error: any Error, isEdit: Bool) {
        if let error = error as? ByteStreamError {
            self.init(
                error.code == .tooLong ? .tooLarge : .storage, "The response cannot be read: \(error)", cause: error)
        } else {
            self.init(noResponse: error, isEdit: isEdit)
        }
        isOutcomeUnknown = isOutcomeUnknown || isEdit
    }
}

extension ODataError.Code {
    /// Codes are those of HTTP, with 498 for a token that is invalid and 499 for one that is missing; all others are of
    /// the geodatabase or of one operation.
    init(arcGIS code: Int64) {
        self =
            switch code {
            case 498, 499: .unauthorized
            case 400..<600: .init(status: Int(code))
            default: .badRequest
            }
    }
}
