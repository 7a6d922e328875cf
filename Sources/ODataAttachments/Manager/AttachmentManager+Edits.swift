import ByteStreams
import MediaFiles
import ODataStores

extension AttachmentManager {
    /// Adds an attachment here: ``postLocalEdits()`` sends it.
    ///
    /// - Throws: ``ODataError`` `tooLarge`, `unsupportedMediaType`, `badRequest`, `forbidden` that name a limit of the
    ///   service; `badRequest` for a name that no file can have; `conflict` if an attachment must have a name of its own, or if there may be no more; nothing is kept
    ///   then.
    @discardableResult
    public func add(_ content: ByteContent, _ details: AttachmentDetails) async throws -> EntityAttachment {
        let (entity, details) = (entity, details.withFileName)
        let limits = try await limits(for: details, content)
        try limits.check(.added)
        let check: @Sendable (AttachmentRecords) throws -> Void = { records in
            try Self.checkName(of: details, limits, in: records, of: entity, except: nil)
            try limits.checkCount(besides: records.all(of: entity).map(\.attachment))
        }
        // Before the content is written, and again when it is.
        try await journal.read(check)
        let added = try await journal.keep(content) { records, kept in
            try limits.check(length: kept.length)
            try check(records)
            var record = AttachmentRecord(added: details, to: entity)
            (record.digest, record.length) = (kept.digest, kept.length)
            return try records.insert(record).attachment
        }
        try await look()
        return added
    }

    /// Gives an attachment other content, other details, or both.
    ///
    /// - Throws: As ``add(_:_:)``; `badRequest` too if the service has nothing to keep another name in, `conflict` if it is
    ///   marked for deletion or an edit of it is unconfirmed, `notFound`.
    @discardableResult
    public func update(
        _ id: EntityAttachment.ID, content: ByteContent? = nil, details: AttachmentDetails? = nil
    ) async throws -> EntityAttachment {
        let entity = entity
        let known = try await journal.read { try $0.record(id, of: entity).details }
        let details = details.map { $0.name == known.name ? $0 : $0.withFileName }
        let limits = try await limits(for: details ?? known, content)
        let begin: @Sendable (AttachmentRecords) throws -> (AttachmentRecord, AttachmentEdit.Action) = { records in
            if let details { try Self.checkName(of: details, limits, in: records, of: entity, except: id) }
            var record = try Self.editable(id, in: records, of: entity)
            try limits.check(record.edit.state)
            if let details, record.edit.state != .added { try limits.check(details, insteadOf: record.details) }
            let action = try record.edit.apply(.update)
            return (record, action)
        }
        let edit: @Sendable (AttachmentRecords, (digest: String, length: Int64)?) throws -> EntityAttachment = {
            records, kept in
            if let length = kept?.length { try limits.check(length: length) }
            let (begun, action) = try begin(records)
            var record = begun
            if let kept { (record.digest, record.length) = (kept.digest, kept.length) }
            if let details { record.details = details }
            // Of what is another addition now, nothing can have arrived yet.
            record.key = nil
            record.noteBase()
            try records.settle(record, action)
            return record.attachment
        }
        let updated: EntityAttachment
        if let content {
            _ = try await journal.read(begin)
            updated = try await journal.keep(content) { try edit($0, ($1.digest, $1.length)) }
        } else {
            updated = try await journal.write { try edit($0, nil) }
        }
        try await journal.collect()
        try await look()
        return updated
    }

    /// Marks an attachment for deletion; an addition that was not posted is gone.
    ///
    /// - Throws: ``ODataError`` `notFound`, `conflict` if an edit of it is unconfirmed, `forbidden` if the service allows
    ///   no deletions.
    public func markForDeletion(_ id: EntityAttachment.ID) async throws { try await apply(.mark, to: id) }

    /// Takes the mark for deletion away: the attachment is what it was before.
    ///
    /// - Throws: As ``markForDeletion(_:)``; `conflict` if it is gone at the service.
    public func unmarkForDeletion(_ id: EntityAttachment.ID) async throws { try await apply(.unmark, to: id) }

    private func apply(_ event: AttachmentEdit.Event, to id: EntityAttachment.ID) async throws {
        let entity = entity
        let limits = event == .mark ? try await knownLimits() : AttachmentLimits()
        try await journal.write { records in
            var record = try Self.editable(id, in: records, of: entity)
            if record.edit.state != .added { try limits.check(record.edit.state) }
            let action = try record.edit.apply(event)
            if event == .mark, record.base == nil { record.noteBase() }
            if record.edit.state == .original { record.base = nil }
            try records.settle(record, action)
        }
        try await journal.collect()
        try await look()
    }

    /// Gives all edits up: additions are gone, all else is as the service has it.
    ///
    /// - Returns: Those that stay, since it is not known whether the service has carried them out: post them first.
    @discardableResult
    public func cancelLocalEdits() async throws -> [EntityAttachment] {
        let entity = entity
        let kept = try await journal.write { records in
            var kept: [EntityAttachment] = []
            for var record in try records.all(of: entity) where record.attachment.hasLocalEdits {
                guard record.sending == nil else {
                    kept.append(record.attachment)
                    continue
                }
                let action = try record.edit.apply(.cancel)
                record.base = nil
                try records.settle(record, action)
            }
            return kept
        }
        try await journal.collect()
        try await look()
        return kept
    }

    /// - Throws: ``ODataError`` `conflict` while the outcome of an edit that was sent is unknown.
    private static func editable(
        _ id: EntityAttachment.ID, in records: AttachmentRecords, of entity: String
    ) throws -> AttachmentRecord {
        let record = try records.record(id, of: entity)
        guard record.sending == nil else {
            throw ODataError(
                .conflict,
                "\(record.details.name) is being posted, or it is not known whether it was: post the edits first.")
        }
        return record
    }

    private func limits(for details: AttachmentDetails, _ content: ByteContent?) async throws -> AttachmentLimits {
        let limits = try await knownLimits().narrowed(to: details.name)
        try limits.check(details)
        if let length = content?.length { try limits.check(length: length) }
        return limits
    }

    /// What is known without the service counts where that cannot be reached.
    private func knownLimits() async throws -> AttachmentLimits {
        do { return try await backEnd.limits(of: entity) } catch let error as ODataError where error.concernsAll {
            return AttachmentLimits()
        }
    }

    private static func checkName(
        of details: AttachmentDetails, _ limits: AttachmentLimits, in records: AttachmentRecords, of entity: String,
        except id: EntityAttachment.ID?
    ) throws {
        guard limits.names != nil else { return }
        let isTaken = try records.all(of: entity).contains { record in
            record.id != id && record.details.name == details.name && record.edit.state != .deletedFromServer
        }
        guard !isTaken else {
            throw ODataError(.conflict, "\(entity) has \(details.name) already: update it.")
        }
    }
}
