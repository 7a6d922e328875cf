import ByteStreams
import MediaFiles
import ODataStores

extension AttachmentManager {
    /// Asks the service which attachments the entity has. Edits stay as they are.
    ///
    /// - Throws: ``ODataError``, which ``AttachmentStatus/listError`` keeps; what was known before stays.
    @discardableResult
    public func fetchAttachments() async throws -> [EntityAttachment] {
        change { $0.isFetchingList = true }
        defer { change { $0.isFetchingList = false } }
        do {
            try await takeList()
            change { $0.listError = nil }
        } catch {
            let failure = ODataError(any: error)
            change { $0.listError = failure }
            throw failure
        }
        return attachments
    }

    private func takeList() async throws {
        var isTaken = false
        while !isTaken {
            try Task.checkCancellation()
            let (owner, posted) = (entity, postedEdits)
            let listed = try await backEnd.list(of: owner)
            let list = AttachmentList(listed, names: try await newNames(listed))
            isTaken = try await journal.write { [self] records in
                // A list that is older than a response would remove what was posted.
                guard posted == postedEdits else { return false }
                try list.merge(into: records, of: owner)
                return true
            }
        }
        try await journal.collect()
        try await look()
    }

    /// What those that are not listed by their names are called now: old name → new name.
    private func newNames(_ listed: [RemoteAttachment]) async throws -> [String: String] {
        let entity = entity
        let there = Set(listed.map(\.id))
        let missing = try await journal.read { try $0.all(of: entity).compactMap { $0.remote?.id } }
            .filter { !there.contains($0) }
        var names: [String: String] = [:]
        for name in missing {
            guard let current = try? await backEnd.currentName(of: name), there.contains(current) else { continue }
            names[name] = current
        }
        return names
    }

    /// Fetches the content of an attachment, unless it is here.
    ///
    /// - Throws: ``ODataError``, which ``AttachmentStatus/errors`` keeps: `notFound` if there is no such attachment.
    public func fetchContent(of id: EntityAttachment.ID) async throws {
        change { $0.fetching.insert(id) }
        defer { change { $0.fetching.remove(id) } }
        do {
            try await takeContent(of: id)
            change { $0.errors[id] = nil }
        } catch {
            let failure = ODataError(any: error)
            change { $0.errors[id] = failure }
            throw failure
        }
    }

    private func takeContent(of id: EntityAttachment.ID) async throws {
        for _ in 1...3 {
            if try await takeListedContent(of: id) { return try await look() }
            try await journal.collect()
        }
        throw ODataError(.conflict, "The attachment changes while its content is being fetched: fetch it again.")
    }

    /// - Returns: False if another version was listed while the content was received.
    private func takeListedContent(of id: EntityAttachment.ID) async throws -> Bool {
        let entity = entity
        let record = try await journal.read { try $0.record(id, of: entity) }
        guard record.digest == nil, record.download.map({ !journal.holds($0.digest) }) ?? true else { return true }
        guard let remote = record.remote else {
            throw ODataError(.mediaNotInStore, "The content of \(record.details.name) is lost.")
        }
        let result = try await backEnd.content(of: remote, in: entity)
        return try await journal.keep(result.content) { records, kept in
            // Meanwhile it may have been discarded, or another version listed.
            var record = try records.record(id, of: entity)
            guard record.remote?.contentTag == remote.contentTag else { return false }
            record.download = .init(digest: kept.digest, contentTag: remote.contentTag)
            if record.remote?.size == nil { record.remote?.size = kept.length }
            try records.update(record)
            return true
        }
    }

    /// Fetches the content of all attachments that is not here, one after the other. A broken one does not keep the
    /// others from coming; where the service cannot be reached, they are not tried.
    ///
    /// Cancelling the task ends it: the received bytes are kept.
    public func fetchContents() async -> [AttachmentResult] {
        var stop: ODataError?
        var results: [AttachmentResult] = []
        for attachment in attachments where !attachment.hasContent && attachment.editState != .deletedFromServer {
            do {
                if let stop { throw stop }
                try await fetchContent(of: attachment.id)
                results.append(AttachmentResult(attachment: now(attachment), error: nil))
            } catch {
                let failure = ODataError(any: error)
                if failure.concernsAll || Task.isCancelled { stop = failure }
                results.append(AttachmentResult(attachment: now(attachment), error: failure))
            }
        }
        return results
    }

    /// The attachment as it is known now.
    func now(_ attachment: EntityAttachment) -> EntityAttachment {
        attachments.first { $0.id == attachment.id } ?? attachment
    }

    /// The content as it was edited here, else as it was fetched.
    ///
    /// - Throws: ``ODataError`` `notFound`, `mediaNotInStore` if it was not fetched.
    public func content(of id: EntityAttachment.ID) async throws -> ByteContent {
        let entity = entity
        let record = try await journal.read { try $0.record(id, of: entity) }
        guard let digest = record.digest ?? record.download?.digest else {
            throw ODataError(.mediaNotInStore, "The content of \(record.details.name) was not fetched.")
        }
        return try journal.content(digest, of: record.details.name)
    }

    /// Removes what was fetched: the list and all content. Edits stay.
    public func clear() async throws {
        let entity = entity
        try await journal.write { try $0.clear(entity) }
        try await journal.collect()
        try await look()
    }
}

/// A list of the service, and what to make of it.
struct AttachmentList: Sendable {
    private let listed: [RemoteAttachment]
    /// Old name → new name of those that are called otherwise now.
    private let names: [String: String]

    init(_ listed: [RemoteAttachment], names: [String: String]) {
        self.listed = listed
        self.names = names
    }

    func merge(into records: AttachmentRecords, of entity: String) throws {
        var new = Dictionary(listed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for var record in try records.all(of: entity) {
            guard let remote = record.remote else { continue }
            if let current = new.removeValue(forKey: names[remote.id] ?? remote.id) {
                if names[remote.id] != nil { try records.removeListed(current.id, of: entity, except: record.id) }
                record.note(current, called: names[remote.id])
                try settle(&record, .listed, in: records)
            } else {
                try settle(&record, .missing, in: records)
            }
        }
        for remote in listed where new[remote.id] != nil {
            try records.insert(AttachmentRecord(listed: remote, of: entity))
            new[remote.id] = nil
        }
    }

    private func settle(
        _ record: inout AttachmentRecord, _ event: AttachmentEdit.Event, in records: AttachmentRecords
    ) throws {
        let action = try record.edit.apply(event)
        if record.edit.state == .original { record.restore() }
        // The list shows its outcome.
        if !record.attachment.hasLocalEdits { record.sending = nil }
        try records.settle(record, action)
    }
}
