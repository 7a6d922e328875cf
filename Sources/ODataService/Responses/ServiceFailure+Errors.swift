import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores

extension ServiceFailure {
    /// Gives each error its status and its wording. Errors that are not meant for clients are not disclosed.
    init(_ error: any Error) {
        switch error {
        case let failure as ServiceFailure: self = failure
        case let error as ODataError: self.init(store: error)
        case let error as QueryError: self.init(query: error)
        case let error as FormatError:
            self.init(.badRequest, error.description, target: error.property)
        case let error as ByteStreamError where error.code == .tooLong:
            self.init(.contentTooLarge, error.message)
        case let error as ByteStreamError:
            self.init(.badRequest, error.message)
        case is CancellationError:
            self.init(.serviceUnavailable, "The service is closing.")
        default:
            self.init(.internalServerError, "The service failed.")
        }
    }

    private init(store error: ODataError) {
        if let query = error.cause as? QueryError, error.code == .badRequest || error.code == .notImplemented {
            self.init(query: query)
            return
        }
        self.init(
            Self.statuses[error.code] ?? .internalServerError, code: error.service?.code ?? error.code.name,
            error.service?.message ?? error.message, target: error.service?.target)
        self.error.details = error.service?.details ?? []
        if error.code == .methodNotAllowed { headers[.allow] = "GET, HEAD, OPTIONS" }
        if error.code == .rangeNotSatisfiable, let length = error.facts.streamLength {
            headers[.contentRange] = "bytes */\(length)"
        }
        if let seconds = error.retryAfter { headers[.retryAfter] = "\(seconds)" }
    }

    private static let statuses: [ODataError.Code: HTTPResponse.Status] = [
        .badRequest: .badRequest, .unauthorized: .unauthorized, .forbidden: .forbidden, .notFound: .notFound,
        .methodNotAllowed: .methodNotAllowed, .conflict: .conflict, .gone: .gone,
        .preconditionFailed: .preconditionFailed, .tooLarge: .contentTooLarge,
        .unsupportedMediaType: .unsupportedMediaType, .rangeNotSatisfiable: .rangeNotSatisfiable,
        .preconditionRequired: .preconditionRequired, .internalError: .internalServerError,
        .notImplemented: .notImplemented, .unreachable: .badGateway, .invalidResponse: .badGateway,
        .mediaNotInStore: .notFound, .unusableStore: .serviceUnavailable,
        .storage: .init(code: 507, reasonPhrase: "Insufficient Storage"), .cancelled: .serviceUnavailable,
        .busy: .serviceUnavailable,
    ]

    private init(query error: QueryError) {
        self.init(
            error.code == .notImplemented ? .notImplemented : .badRequest, code: error.code.name, error.description)
    }
}
