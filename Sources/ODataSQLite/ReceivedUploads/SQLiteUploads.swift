import ByteStreams
import GRDB
import MediaFiles
import ODataStores

/// The uploads in several requests: each is a row of the database and a file, in the media folder or beside the
/// database.
///
/// The offset in the row is the number of bytes that are safely on the disk. Later bytes are recorded piece by piece
/// beside the file; after a crash they are used as far as they are unchanged. The row is created before the file, and
/// the file is removed after the row.
struct SQLiteUploads: UploadSpace {
    /// The number of bytes between two synchronised offsets: the most that a power cut may lose.
    private static let stepLength: Int64 = 8 << 20

    let store: SQLiteStore
    let folder: UploadFolder

    init(_ store: SQLiteStore) {
        self.store = store
        let media = store.streamFiles?.takesStreams == true ? store.configuration.mediaFolder : nil
        folder = UploadFolder(path: media.map { $0 + "/uploads" } ?? store.path + "-uploads")
    }

    var now: Int64 { store.configuration.now() }

    var maximalLength: Int64? { store.intake.limit == .max ? nil : store.intake.limit }

    /// Removes expired uploads, and files without a row. Called when the database is opened.
    func tidy() throws {
        // In this order, since another process may begin uploads meanwhile.
        let files = try folder.names()
        let now = now
        let kept = try store.pool.write { db -> Set<String> in
            _ = try UploadTable.expire(now: now, in: db)
            return try UploadTable.tokensOfFiles(in: db)
        }
        for name in files where !kept.contains(name) { try folder.remove(name) }
        folder.removeIfEmpty()
    }

    func check(_ change: ChangeRequest) async throws {
        do {
            if let key = RepeatabilityLog.key(change),
                try await store.reading({ try RepeatabilityLog.hasResult(of: key, in: $0) })
            {
                return
            }
            var change = change
            change.repeatability = nil
            try await store.checkTarget(of: change)
            try await store.checkUpdate(change)
        } catch { throw ODataError.change(error, schema: store.schema) }
    }

    func begin(_ upload: IncomingUpload, limits: UploadSpaceLimits) async throws -> UploadAdmission {
        let now = now
        let (admission, expired) = try await inTransaction { db -> (UploadAdmission, [String]) in
            let expired = try UploadTable.expire(now: now, in: db)
            guard try UploadTable.count(owner: upload.owner, in: db) < limits.uploadsPerOwner else {
                return (.tooMany, expired)
            }
            let reserved = try UploadTable.reservedSize(in: db)
            guard reserved < limits.size, upload.length ?? 0 <= limits.size - reserved else {
                return (.noRoom, expired)
            }
            try UploadTable.insert(upload, in: db)
            return (.admitted, expired)
        }
        // A remaining file is removed when the database is opened the next time.
        for token in expired { _ = try? folder.remove(token) }
        return admission
    }

    func upload(_ token: String) async throws -> IncomingUpload? {
        let now = now
        let found: IncomingUpload?
        do { found = try await store.reading { try UploadTable.find(token, now: now, in: $0) } } catch {
            throw ODataError.storage(error)
        }
        guard let found else { return nil }
        guard found.response == nil else { return found }
        let length = folder.length(token) ?? 0
        guard found.offset > length else { return length > found.offset ? try await recovered(found) : found }
        // Bytes that the client has sent are lost, unless the upload has continued since it was found.
        guard try await inTransaction({ try UploadTable.delete(lost: found, in: $0) }) else {
            return try await upload(token)
        }
        try removeFile(of: found)
        return nil
    }

    /// The upload with the bytes from before a crash, as far as the file contains them unchanged.
    private func recovered(_ found: IncomingUpload) async throws -> IncomingUpload {
        do {
            let file = try folder.open(found.token)
            defer { withExtendedLifetime(file) {} }
            var grown = found
            grown.offset = try file.checkedLength(from: found.offset)
            guard grown.offset > found.offset else { return found }
            try file.synchronise()
            let kept = grown
            return try await inTransaction { try UploadTable.grow(kept, from: found.offset, in: $0) } ? grown : found
        } catch let error as MediaFileError where error.code == .busy {
            return found
        } catch { throw ODataError.storage(error) }
    }

    func reservedSize() async throws -> Int64 {
        do { return try await store.reading { try UploadTable.reservedSize(in: $0) } } catch {
            throw ODataError.storage(error)
        }
    }

    func append(
        _ content: ByteContent, to upload: IncomingUpload, limits: UploadAppendLimits
    ) async throws -> IncomingUpload {
        do {
            var file = try folder.open(upload.token)
            try await checkIsCurrent(upload)
            try await file.truncate(to: upload.offset)
            try file.forgetPieces()
            var grown = upload
            do {
                try await receive(content, into: &file, &grown, limits)
            } catch let error as ByteStreamError where error.code == .changed {
                // The file keeps unusable bytes until the next append.
                var unchanged = upload
                try await keep(&unchanged, file, limits)
                throw error
            } catch {
                try await keep(&grown, file, limits)
                throw error
            }
            try await keep(&grown, file, limits)
            return grown
        } catch let error as MediaFileError where error.code == .busy {
            throw Self.busy
        } catch let error as ODataError where error.code == .gone {
            // The file, which may have been created again, is no longer needed.
            try removeFile(of: upload)
            throw error
        } catch { throw ODataError.storage(error) }
    }

    /// Throws if another process has continued or ended the upload since it was found.
    private func checkIsCurrent(_ upload: IncomingUpload) async throws {
        let now = now
        let found = try await store.reading { try UploadTable.find(upload.token, now: now, in: $0) }
        guard let found, found.response == nil, folder.length(upload.token) ?? 0 >= found.offset else {
            throw UploadTable.gone
        }
        guard found.offset == upload.offset else { throw Self.busy }
    }

    private static var busy: ODataError {
        var error = ODataError(.busy, "Another process appends to the upload; try again.")
        error.retryAfter = 1
        return error
    }

    private func receive(
        _ content: ByteContent, into file: inout UploadFile, _ upload: inout IncomingUpload,
        _ limits: UploadAppendLimits
    ) async throws {
        let start = upload.offset
        var kept = start
        for try await chunk in try content.chunks() {
            try Task.checkCancellation()
            guard Int64(chunk.count) <= limits.length - upload.offset else {
                throw ByteStreamError(.tooLong, "It can have at most \(limits.length) bytes.")
            }
            try await file.append(chunk)
            upload.offset += Int64(chunk.count)
            if upload.offset - kept >= Self.stepLength {
                try await keep(&upload, file, limits)
                kept = upload.offset
            }
        }
        // A cancelled body may appear to end.
        try Task.checkCancellation()
        if let length = content.length, length != upload.offset - start {
            throw ByteStreamError(
                .unreadable,
                "The part has \(upload.offset - start) bytes where \(length) "
                    + "were announced.")
        }
    }

    /// Confirms the received bytes.
    private func keep(
        _ upload: inout IncomingUpload, _ file: UploadFile, _ limits: UploadAppendLimits
    ) async throws {
        try file.synchronise()
        upload.expires = now + limits.lifetime
        let kept = upload
        try await inTransaction { db in
            let before = try UploadTable.reservedSize(in: db)
            try UploadTable.update(kept, in: db)
            // Other uploads have grown meanwhile.
            guard let size = limits.size, try UploadTable.reservedSize(in: db) > max(size, before) else { return }
            throw ODataError.noRoomForUploads
        }
        try file.forgetPieces()
    }

    func content(of upload: IncomingUpload) throws -> ByteContent {
        guard upload.offset > 0 else { return .empty }
        do { return ByteContent(try folder.source(upload.token, length: upload.offset)) } catch {
            throw ODataError(.storage, "The received part of the upload cannot be read.", cause: error)
        }
    }

    func finish(_ upload: IncomingUpload, response: [UInt8], lifetime: Int64) async throws {
        var finished = upload
        finished.response = response
        finished.expires = now + lifetime
        let kept = finished
        try await inTransaction { try UploadTable.update(kept, in: $0) }
        try removeFile(of: upload)
    }

    func remove(_ upload: IncomingUpload) async throws {
        do { try await inTransaction { try UploadTable.delete(upload.token, in: $0) } } catch {
            // On a full disk the file frees the space that is needed to record this.
            try removeFile(of: upload)
            return try await inTransaction { try UploadTable.delete(upload.token, in: $0) }
        }
        try removeFile(of: upload)
    }

    private func removeFile(of upload: IncomingUpload) throws {
        do { try folder.remove(upload.token) } catch { throw ODataError.storage(error) }
    }

    /// Executes a transaction that a cancellation does not stop, so that the received bytes are kept.
    private func inTransaction<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        let task = Task { [store] in try await store.write(body) }
        do { return try await task.value } catch { throw ODataError.storage(error) }
    }
}

extension SQLiteStore: UploadKeepingStore {
    package var uploadSpace: (any UploadSpace)? { configuration.isReadOnly ? nil : SQLiteUploads(self) }
}
