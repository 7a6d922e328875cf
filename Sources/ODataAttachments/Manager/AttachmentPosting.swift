import ByteStreams
import Foundation
import MediaFiles
import ODataStores

/// Sends the edits of one entity's attachments.
///
/// The journal says *sending* before an edit leaves. A later posting that finds this reads the service first: for an
/// attachment that was not listed before and has the content of an addition, or for the content of an update.
struct AttachmentPosting: Sendable {
    let entity: String
    let backEnd: any AttachmentBackEnd
    let journal: any AttachmentJournal
    /// Called when the service has responded, before the journal knows.
    let onResponse: @Sendable () -> Void
    /// What became of them.
    private(set) var settled: [EntityAttachment.ID: EntityAttachment] = [:]
    /// The ids that the service has, asked for before the first addition.
    private var known: Set<String>?

    init(
        entity: String, backEnd: any AttachmentBackEnd, journal: any AttachmentJournal,
        onResponse: @escaping @Sendable () -> Void
    ) {
        self.entity = entity
        self.backEnd = backEnd
        self.journal = journal
        self.onResponse = onResponse
    }

    /// - Throws: ``ODataError``; the edit waits.
    mutating func post(_ id: EntityAttachment.ID) async throws {
        let record = try await journal.read { [entity] in try $0.record(id, of: entity) }
        switch record.edit.state {
        case .added: try await add(record)
        case .updated: try await update(record)
        case .markedForDeletion: try await delete(record)
        case .original, .deletedFromServer: settled[id] = record.attachment
        }
    }

    private mutating func add(_ record: AttachmentRecord) async throws {
        if let sending = record.sending, let found = try await find(record, besides: sending.known) {
            if let listed = try await giveWay(record, to: found) {
                settled[record.id] = listed
                return
            }
            return try await adopt(found, record)
        }
        let content = try content(of: record)
        let known = try await knownIDs()
        let key = record.key ?? UUID().uuidString
        try await begin(record, known: known, key: key)
        let draft = AttachmentDraft(details: record.details, content: content, key: key)
        let posted = try await sent(record) { [backEnd, entity] in try await backEnd.add(draft, to: entity) }
        self.known?.insert(posted.attachment.id)
        try await settle(record, posted)
    }

    private mutating func update(_ record: AttachmentRecord) async throws {
        guard let base = record.base ?? record.remote else {
            throw ODataError(.internalError, "\(record.details.name) is updated and was never listed.")
        }
        if record.sending != nil, let found = try await updated(base, record) {
            return try await adopt(found, record)
        }
        let content = try record.digest == nil ? nil : content(of: record)
        try await begin(record)
        let draft = AttachmentDraft(details: record.details, content: content)
        let posted = try await sent(record) { [backEnd, entity] in
            try await backEnd.update(base, with: draft, in: entity)
        }
        try await settle(record, posted)
    }

    /// The service has the content of the edit already; the details may be still to be sent.
    private mutating func adopt(_ found: RemoteAttachment, _ record: AttachmentRecord) async throws {
        let draft = AttachmentDraft(details: record.details, content: nil)
        let posted: PostedAttachment
        do { posted = try await backEnd.update(found, with: draft, in: entity) } catch {
            posted = PostedAttachment(found, remaining: ODataError(ofChange: error))
        }
        try await settle(record, posted)
    }

    /// What an addition has made was listed as another attachment, and the app has edited that one: it stays with its
    /// edit, and the addition is removed.
    ///
    /// - Returns: The one that stays; nil if there is none.
    private func giveWay(_ record: AttachmentRecord, to found: RemoteAttachment) async throws -> EntityAttachment? {
        try await journal.write { [entity] records in
            guard var listed = try records.edited(found.id, of: entity, except: record.id) else { return nil }
            if listed.details == listed.base?.details { listed.details = record.details }
            listed.wasAddedHere = true
            try records.remove(record.id)
            try records.update(listed)
            return listed.attachment
        }
    }

    private mutating func delete(_ record: AttachmentRecord) async throws {
        guard let base = record.base ?? record.remote else {
            throw ODataError(.internalError, "\(record.details.name) is to be deleted and was never listed.")
        }
        try await begin(record)
        do {
            try await sent(record) { [backEnd, entity] in try await backEnd.delete(base, in: entity) }
        } catch let error as ODataError where error.code == .notFound || error.code == .gone {
            // Another client has deleted it, or an earlier attempt of this one; or all of the service is not where it was.
            guard try await !backEnd.list(of: entity).contains(where: { $0.id == base.id }) else { throw error }
        }
        onResponse()
        settled[record.id] = try await journal.write { [entity] records in
            var now = try records.record(record.id, of: entity)
            let action = try now.edit.apply(.posted)
            (now.digest, now.length, now.download) = (nil, nil, nil)
            (now.base, now.sending) = (nil, nil)
            try records.settle(now, action)
            return now.attachment
        }
    }
}

extension AttachmentPosting {
    /// Notes that the edit leaves now.
    ///
    /// - Parameters:
    ///   - known: What the service lists before an addition.
    ///   - key: Of an addition.
    /// - Throws: ``ODataError`` `conflict` if it is another one by now.
    private func begin(_ record: AttachmentRecord, known: Set<String> = [], key: String? = nil) async throws {
        try await journal.write { [entity] records in
            var now = try records.record(record.id, of: entity)
            guard now.edit == record.edit, now.digest == record.digest, now.details == record.details,
                now.sending == record.sending
            else { throw Self.edited(record) }
            // What was listed before the first attempt reports of that, too.
            now.sending = .init(known: now.sending?.known.intersection(known) ?? known)
            now.key = key
            try records.update(now)
        }
    }

    /// Sends an edit. If the service has surely not carried it out, it is as if it had not left; but where the service
    /// could not be read, that says nothing about an attempt before this one.
    private func sent<Result>(
        _ record: AttachmentRecord, _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch {
            let failure = ODataError(ofChange: error)
            if !failure.isOutcomeUnknown, record.sending == nil || !failure.concernsAll {
                try await journal.write { [entity] records in
                    var now = try records.record(record.id, of: entity)
                    now.sending = nil
                    try records.update(now)
                }
            }
            throw failure
        }
    }

    /// The service has carried the edit out, or all of it but the details.
    ///
    /// - Throws: ``ODataError`` of what remains.
    private mutating func settle(_ record: AttachmentRecord, _ posted: PostedAttachment) async throws {
        onResponse()
        settled[record.id] = try await journal.write { [entity] records in
            var now = try records.record(record.id, of: entity)
            // A list may have brought it in the meantime, and the app may have edited that.
            if now.edit.state == .added {
                guard try records.edited(posted.attachment.id, of: entity, except: now.id) == nil else {
                    throw Self.edited(record)
                }
                now.wasAddedHere = true
            }
            let action = try now.edit.apply(posted.remaining == nil ? .posted : .contentPosted)
            try records.removeListed(posted.attachment.id, of: entity, except: now.id)
            var attachment = posted.attachment
            // It is unknown which version the details now have.
            if posted.remaining?.isOutcomeUnknown == true { attachment.etag = nil }
            now.notePosted(attachment)
            now.base = posted.remaining == nil ? nil : attachment
            if posted.remaining == nil { now.details = posted.attachment.details }
            try records.settle(now, action)
            return now.attachment
        }
        if let remaining = posted.remaining { throw remaining }
    }

    private static func edited(_ record: AttachmentRecord) -> ODataError {
        ODataError(.conflict, "\(record.details.name) was edited while it was being posted: post again.")
    }

    private func content(of record: AttachmentRecord) throws -> ByteContent {
        guard let digest = record.digest else {
            throw ODataError(.mediaNotInStore, "The content of \(record.details.name) is lost.")
        }
        return try journal.content(digest, of: record.details.name)
    }

    private mutating func knownIDs() async throws -> Set<String> {
        if let known { return known }
        let listed = Set(try await backEnd.list(of: entity).map(\.id))
        known = listed
        return listed
    }

    /// What an addition has made whose response was lost: with its key; else with its content, not listed before, and
    /// of no other addition.
    private func find(_ record: AttachmentRecord, besides known: Set<String>) async throws -> RemoteAttachment? {
        let taken = try await journal.read { [entity] records in
            try records.all(of: entity).filter { $0.wasAddedHere && $0.id != record.id }.compactMap { $0.remote?.id }
        }
        let listed = try await backEnd.list(of: entity)
        if let key = record.key, let found = listed.first(where: { $0.key == key }) { return found }
        guard !backEnd.addsOnce else { return nil }
        let candidates = listed.filter { !known.contains($0.id) && !taken.contains($0.id) }
        for candidate in candidates {
            if try await has(candidate, contentOf: record) { return candidate }
        }
        return nil
    }

    /// What an update has made whose response was lost; nil if it is not known to be carried out.
    private func updated(_ base: RemoteAttachment, _ record: AttachmentRecord) async throws -> RemoteAttachment? {
        guard let listed = try await backEnd.list(of: entity).first(where: { $0.id == base.id }) else { return nil }
        guard record.digest != nil else { return listed.details == record.details ? listed : nil }
        do { return try await has(listed, contentOf: record) ? listed : nil } catch let error as ODataError
            where error.code == .forbidden
        {
            // Content that cannot be read because of malware proves nothing.
            return nil
        }
    }

    /// Whether an attachment of the service has the content of an edit. It is read only if it may be.
    private func has(_ remote: RemoteAttachment, contentOf record: AttachmentRecord) async throws -> Bool {
        if let size = remote.size, size != record.length { return false }
        do {
            let result = try await backEnd.content(of: remote, in: entity)
            if let length = result.totalLength, length != record.length { return false }
            return try await StoredMedia(reading: result.content).digest == record.digest
        } catch let error as ODataError where [.notFound, .gone, .mediaNotInStore].contains(error.code) {
            // Content that cannot be requested now proves nothing either.
            if let cause = error.cause as? ODataError, cause.concernsAll { throw cause }
            return false
        }
    }
}
