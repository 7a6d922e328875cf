import ODataStores
import Synchronization

/// The attachments of one entity, as they are at the service and as they are edited here.
///
/// ```swift
/// let owner = try AttachmentOwner(store: store, backEnd: MediaEntityBackEnd(store: store, navigation: "Photos"))
/// let photos = try await owner.manager(for: "Inspections(1)")
/// try await photos.fetchAttachments()
/// let details = AttachmentDetails(name: "valve.jpg", contentType: "image/jpeg")
/// try await photos.add(ByteContent(try FileSource(path: path)), details)
/// for result in try await photos.postLocalEdits() { print(result.attachment.name, result.error as Any) }
/// ```
///
/// Every edit is on the device when its call returns, and stays until it is posted or discarded. All content is in
/// files. All errors are ``ODataError``.
public final class AttachmentManager: Sendable {
    let backEnd: any AttachmentBackEnd
    let journal: any AttachmentJournal
    private let state: Mutex<State>

    private struct State {
        var entity: String
        var status = AttachmentStatus()
        var observers: [Int: AsyncStream<AttachmentStatus>.Continuation] = [:]
        var lastObserver = 0
        /// Of looks into the journal: the one that began last counts.
        var lastLook = 0
        var shownLook = 0
        /// How many edits were posted: a list that was asked for before does not have them.
        var posted = 0
        /// From the first edit until all is done, also when each edit has its result.
        var isPosting = false

        func publish() {
            for observer in observers.values { observer.yield(status) }
        }
    }

    init(entity: String, backEnd: any AttachmentBackEnd, journal: any AttachmentJournal) {
        self.backEnd = backEnd
        self.journal = journal
        state = Mutex(State(entity: entity))
    }

    /// The owner of the attachments: `Inspections(1)`
    public var entity: String { state.withLock { $0.entity } }

    /// What is known now.
    public var status: AttachmentStatus { state.withLock { $0.status } }

    /// Those of ``status``: of the last list with all edits, marked ones among them. Empty before the first list.
    public var attachments: [EntityAttachment] { status.attachments }

    /// Whether ``postLocalEdits()`` has something to do.
    public var hasLocalEdits: Bool { status.hasLocalEdits }

    /// The status now, and after each change of it; changes that come faster than they are taken are seen together.
    public var statuses: AsyncStream<AttachmentStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.lastObserver += 1
                state.observers[state.lastObserver] = continuation
                continuation.yield(state.status)
                return state.lastObserver
            }
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
        }
    }

    private func forget(_ observer: Int) { state.withLock { $0.observers[observer] = nil } }

    deinit {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
    }
}

extension AttachmentManager {
    func change(_ body: (inout AttachmentStatus) -> Void) {
        state.withLock { state in
            body(&state.status)
            state.publish()
        }
    }

    /// Shows what the journal has.
    func look() async throws {
        let (entity, look) = state.withLock { state in
            state.lastLook += 1
            return (state.entity, state.lastLook)
        }
        let attachments = try await journal.read { try $0.all(of: entity).map(\.attachment) }
        state.withLock { state in
            guard look > state.shownLook else { return }
            state.shownLook = look
            state.status.attachments = attachments
            let known = Set(attachments.map(\.id))
            state.status.errors = state.status.errors.filter { known.contains($0.key) }
            state.publish()
        }
    }

    /// The entity has another name now.
    func rename(to entity: String) { state.withLock { $0.entity = entity } }

    var postedEdits: Int { state.withLock { $0.posted } }

    func notePosted() { state.withLock { $0.posted += 1 } }

    /// - Throws: ``ODataError`` `conflict` while edits are being posted.
    func beginPosting(_ ids: [EntityAttachment.ID]) throws {
        try state.withLock { state in
            guard !state.isPosting else {
                throw ODataError(.conflict, "The attachments of \(state.entity) are being posted already.")
            }
            state.isPosting = true
            state.status.posting = Set(ids)
            state.publish()
        }
    }

    func endPosting() {
        state.withLock { state in
            state.isPosting = false
            state.status.posting = []
            state.publish()
        }
    }
}
