/// The transfer of one stream, as it is at one moment.
public struct TransferSnapshot: Sendable, Identifiable {
    /// Names a transfer of a store, the same in every run.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    /// Whether the bytes come or go.
    public enum Direction: String, Sendable {
        /// `download`: from the service to the device. `upload`: from the device to the service.
        case download, upload
    }

    /// How far the transfer is.
    public enum State: String, Sendable {
        /// For its turn, for the time when it is tried again, or for the next run.
        case waiting
        /// The bytes are on their way, or the first of them is waited for.
        case running
        /// Until it is resumed. What has been transferred stays.
        case paused
        /// All bytes have arrived; of an upload, the service has carried its request out.
        case finished
        /// In this run.
        case failed
        /// In this run, by the app.
        case cancelled

        /// Whether nothing more happens in this run.
        public var isOver: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    public let id: ID
    /// Which way the bytes go; it never changes.
    public let direction: Direction
    /// `Photos(1)`, `Employees(2)/Photo`
    public let path: String
    /// The host that the bytes come from or go to, where a link of the service names one; else empty. For bytes that come
    /// from the service itself it is empty whether a link names it or not.
    public package(set) var host: String
    /// The greatest is first.
    public package(set) var priority: Int
    /// Bytes that have come and need not come again, or that the service has said it has. It never becomes less while the
    /// content is the same.
    public package(set) var acknowledged: Int64 = 0
    /// How far the bytes are from the start of the stream, for a bar. Of an upload that runs, what has been handed over to
    /// be sent: the service may not have all of it yet, and carries the request out after the last of it. It grows while
    /// one attempt lasts, and the next begins with what the service has then. In all other states, and of downloads, as
    /// ``acknowledged``.
    public var transferred: Int64 { direction == .upload && state == .running ? sent : acknowledged }
    /// The bytes of the whole stream; nil where not known yet.
    public package(set) var total: Int64?
    /// How far it is; one that is over may wait again in the next run.
    public package(set) var state = State.waiting
    /// Why it failed.
    public package(set) var error: ODataError?
    /// The end of the bytes that an upload has handed over in this attempt.
    package var sent: Int64 = 0
    /// What is sent, where the same transfer may get other content.
    package var content: String?
    /// It is on its way in one piece, which could not be gone on with.
    package var isWhole = false

    /// Whether it can be paused now: it waits, or runs and can continue where it was stopped.
    public var canPause: Bool { state == .waiting || state == .running && !isWhole }

    package init(id: ID, direction: Direction, path: String, host: String = "", priority: Int) {
        self.id = id
        self.direction = direction
        self.path = path
        self.host = host
        self.priority = priority
    }

    /// Of a link with a scheme; empty where it has none.
    package static func host(of link: String) -> String {
        guard let scheme = link.firstRange(of: "://") else { return "" }
        return link[scheme.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
    }
}

/// A store whose streams may be elsewhere.
package protocol LinkingStore: ODataStore {
    /// The host that a link of the service leads to; empty for the service itself.
    func host(ofLink link: String) -> String
}

extension ODataStore {
    /// Of stores that know nothing of themselves what the link says; empty where there is none.
    package func streamHost(ofLink link: String?) -> String {
        guard let link else { return "" }
        return (self as? any LinkingStore)?.host(ofLink: link) ?? TransferSnapshot.host(of: link)
    }
}
