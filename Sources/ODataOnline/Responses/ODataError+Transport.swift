import ByteStreams
import ODataFormats
import ODataMetadata
import ODataStores
import ODataTransport

extension ODataError {
    /// `request` got no response.
    init(noResponse error: any Error, to request: OutgoingRequest) {
        self.init(cause: error)
        self.request = self.request ?? request.name
        guard request.isChange else { return }
        if let error = error as? TransportError {
            isOutcomeUnknown = error.mayHaveActedBefore || !error.isBeforeSending && error.code != .redirect
        } else if error is CancellationError {
            isOutcomeUnknown = true
        }
    }

    /// The body of the response to `request` could not be read.
    init(reading error: any Error, of request: OutgoingRequest) {
        if let error = error as? FormatError {
            self.init(.invalidResponse, "The response cannot be read: \(error)\(error.wayOut)", cause: error)
            service = error.service
        } else if let error = error as? ByteStreamError {
            self.init(
                error.code == .tooLong ? .tooLarge : .storage, "The response cannot be read: \(error)", cause: error)
        } else {
            self.init(cause: error)
        }
        self.request = self.request ?? request.name
        isOutcomeUnknown = isOutcomeUnknown || request.isChange
    }

    /// What `error` means to the caller of a store.
    private init(cause error: any Error) {
        switch error {
        case let error as ODataError: self = error
        case let error as TransportError: self.init(Code(error.code), error.message, cause: error)
        case is CancellationError: self.init(.cancelled, "The request was cancelled.", cause: error)
        case let error as ByteStreamError:
            self.init(.storage, "The body of the request cannot be read: \(error)", cause: error)
        default: self.init(.internalError, "The request failed: \(error)", cause: error)
        }
    }
}

extension ODataError.Code {
    package init(_ code: TransportError.Code) {
        self =
            switch code {
            case .invalidURL: .badRequest
            case .redirect, .encoding: .invalidResponse
            case .credentials: .unauthorized
            case .unsupported: .notImplemented
            case .cancelled: .cancelled
            default: .unreachable
            }
    }
}

extension FormatError {
    /// How the other entities can be read where one has a bad value.
    fileprivate var wayOut: String {
        guard isOfValue, let property else { return "" }
        return ". Leave \(property) out with $select, or take such values as null: takesBadValuesAsNull "
            + "(--bad-values-as-null)."
    }
}
