import ByteStreams
import MediaFiles

extension ODataError {
    /// Whether the same request may succeed next time.
    package var isTransient: Bool {
        switch code {
        case .unreachable: true
        // The status says more than the code, where there is one.
        case .internalError: status.map { $0 >= 500 && $0 != 501 && !isForWantOfRoom } ?? true
        default: status == 408 || status == 429
        }
    }

    /// Whether the service has no room for what it is sent, which a moment does not change: 507.
    package var isForWantOfRoom: Bool { status == 507 }

    package init(_ error: MediaFileError) {
        self.init(error.code == .wrongDigest ? .invalidResponse : .storage, error.message, cause: error)
    }

    /// What broke the read of a stream.
    init(reading error: any Error) {
        switch error {
        case let error as ODataError: self = error
        case let error as MediaFileError: self.init(error)
        case is CancellationError: self.init(.cancelled, "The read of the stream was cancelled.", cause: error)
        case let error as ByteStreamError:
            self.init(.storage, "The stream cannot be read: \(error)", cause: error)
        default: self.init(.internalError, "The read of the stream failed: \(error)", cause: error)
        }
    }
}
