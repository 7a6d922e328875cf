import ByteStreams
import MediaFiles
import ODataStores

/// Why a stream did not come.
package struct StreamDownloadError: Error, Sendable, CustomStringConvertible {
    /// The store's error, `MediaFileError`, or what broke the transfer.
    package var cause: any Error
    /// How often it was tried.
    package var attempts: Int

    package init(cause: any Error, attempts: Int) {
        self.cause = cause
        self.attempts = attempts
    }

    /// The service does not have it (any more): asking again makes no sense before its entity changes.
    package var isMissing: Bool {
        guard let error = cause as? ODataError else { return false }
        return error.code == .notFound || error.code == .gone
    }

    /// The error as stores throw it; after several attempts that may end otherwise the next time it says so.
    package var storeError: ODataError {
        var error =
            (cause as? ODataError) ?? (cause as? MediaFileError).map { ODataError($0) }
            ?? ODataError(.unreachable, "The stream broke off: \(cause)", cause: cause)
        if attempts > 1, StreamFailure(cause) == .transient {
            error.message += " The stream was tried \(attempts) times; the next download tries it again."
        }
        return error
    }

    package var description: String {
        attempts > 1 ? "\(cause) (tried \(attempts) times)" : "\(cause)"
    }
}

/// What is to be done about a failed transfer.
enum StreamFailure: Hashable {
    /// It may work next time, from where it stopped.
    case transient
    /// What is there does not belong to what the service has now: 412, 416.
    case outdated
    /// The received bytes do not match the service's digest.
    case damaged
    /// It will not work next time either.
    case permanent

    init(_ error: any Error) {
        switch error {
        case let error as ODataError: self = StreamFailure(store: error)
        case let error as MediaFileError: self = error.code == .wrongDigest ? .damaged : .permanent
        case is CancellationError: self = .permanent
        default: self = .transient
        }
    }

    private init(store error: ODataError) {
        switch error.code {
        case .rangeNotSatisfiable, .preconditionFailed: self = .outdated
        case .invalidResponse where (error.cause as? MediaFileError)?.code == .wrongDigest: self = .damaged
        // Another part than the one that is missing.
        case .invalidResponse where error.status == 206: self = .outdated
        default: self = error.isTransient ? .transient : .permanent
        }
    }
}
