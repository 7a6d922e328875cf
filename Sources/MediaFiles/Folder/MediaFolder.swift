import ByteStreams
import EncryptionKeys
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of streams, each under the digest of its bytes: the same bytes are kept once.
///
///     media/ab/abcd…               a complete stream
///     media/ab/cd/abcd…            the same, from before version 3 of the index
///     media/incoming/417-90        a stream that is being written, locked by who does
///     media/partial/…  ….json      a stream that is being downloaded, and where it comes from
///     media/partial/….16777216     a part that is downloaded beside its beginning
///     media/derived/abcd…/256      what was made out of a stream: a smaller image
///     media/owner                  the owner of the folder, if it is claimed
///     media/index.sqlite           who refers to which streams, where several may
///     media/encryption             in an encrypted folder: which key fits
///
/// In an encrypted folder the names are keyed hashes of the digests, and all contents are encrypted
/// (`Documentation/Encryption.md`).
///
/// A file gets its final name only when all its bytes are on the device, so a stream is there completely or not at
/// all. Who refers to a stream is recorded by the folder's one owner, or in its index, where several stores and processes
/// use the folder; that decides when a stream is removed.
package final class MediaFolder: Sendable {
    package let path: String
    let encryption: FolderEncryption?
    /// The folder of the partial streams.
    let partials: String
    private let damaged = Mutex<Set<String>>([])

    /// The folder of the partial streams of a user without a name; those of others are called so, with theirs after `-`.
    package static let partialFolder = "partial"

    /// Opens the folder at `path`, which is made if it does not exist; the folder above must.
    ///
    /// - Parameters:
    ///   - key: Nil for a folder that is not encrypted.
    ///   - partials: The name of the folder of the partial streams: users with one of their own may name streams alike.
    ///   - isReadOnly: Whether nothing is made: a folder that is not there has no streams.
    /// - Throws: ``MediaFileError``; `EncryptionError` if the folder is encrypted and no key is given, or the other way
    ///   round, or if it is encrypted with another key.
    package init(
        path: String, key: EncryptionKey? = nil, partials: String = MediaFolder.partialFolder, isReadOnly: Bool = false
    ) throws {
        self.path = path
        self.partials = "\(path)/\(partials)"
        try isReadOnly ? Directory.refuseFile(path) : Directory.create(path)
        encryption = try FolderEncryption(folder: path, key: key, isReadOnly: isReadOnly)
        guard !isReadOnly else { return }
        for folder in [incoming, self.partials] { try Directory.create(folder) }
    }

    var incoming: String { path + "/incoming" }

    /// Where the file of a stream gets its name.
    private func place(named name: String) -> String { "\(path)/\(name.prefix(2))/\(name)" }

    private func earlierPlace(named name: String) -> String {
        "\(path)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    }

    /// Where the file of a stream is, or would be.
    private func location(of digest: String) -> String {
        let name = fileName(for: digest)
        let (place, earlier) = (place(named: name), earlierPlace(named: name))
        return Directory.fileLength(place) == nil && Directory.fileLength(earlier) != nil ? earlier : place
    }

    func fileLength(of digest: String) -> Int64? {
        let name = fileName(for: digest)
        return Directory.fileLength(place(named: name)) ?? Directory.fileLength(earlierPlace(named: name))
    }

    func removeFile(named name: String) throws {
        try Directory.remove(place(named: name))
        try Directory.remove(earlierPlace(named: name))
    }

    /// The name of the file of a complete stream.
    package func fileName(for digest: String) -> String { encryption?.name(for: digest) ?? digest }

    /// The length of the stream in a file of this length; nil for one that cannot be a whole stream.
    func streamLength(ofFile length: Int64) -> Int64? {
        encryption == nil ? length : ChunkLayout.streamLength(fileLength: length)
    }

    /// Keeps the bytes of `content`. They are on the device when this returns; nothing is left if it throws.
    ///
    /// - Throws: ``MediaFileError``, and what reading the content throws.
    package func write(_ content: ByteContent) async throws -> StoredMedia {
        let incoming = try await receive(content)
        try keep(incoming)
        return incoming.media
    }

    /// Takes in the bytes of `content`, which have no name in the folder before ``keep(_:)`` gives them one.
    ///
    /// - Throws: ``MediaFileError``, `ByteStreamError` with code `tooLong` as soon as it is known that there are more
    ///   than `limit` bytes, and what reading the content throws.
    package func receive(_ content: ByteContent, upTo limit: Int64 = .max) async throws -> IncomingMedia {
        let tooLong = ByteStreamError(.tooLong, "A stream can have at most \(limit) bytes.")
        if let length = content.length, length > limit { throw tooLong }
        if let source = content.source as? any TakeableSource, let taken = try await take(source) { return taken }
        let file = try makeTemporary()
        do {
            var hasher = MediaHasher()
            var head: [UInt8] = []
            for try await chunk in try content.chunks() {
                try Task.checkCancellation()
                guard Int64(chunk.count) <= limit - hasher.length else { throw tooLong }
                try file.append(chunk)
                hasher.update(chunk)
                head += chunk.prefix(IncomingMedia.headLength - head.count)
            }
            let media = hasher.finish()
            if let length = content.length, length != media.length {
                throw MediaFileError(
                    .wrongLength,
                    "The stream has \(media.length) bytes where \(length) were "
                        + "announced.")
            }
            return IncomingMedia(media, head: head, file: file, folder: self)
        } catch {
            forget(file)
            throw error
        }
    }

    /// How a stream is recorded that gets its name by the call of `name`.
    package typealias Recording = (_ media: StoredMedia, _ name: () throws -> Void) throws -> Void

    /// Gives a stream that has come its name. Its bytes are on the device when this returns, and before it is recorded.
    package func keep(_ incoming: IncomingMedia, recorded: Recording = { try $1() }) throws {
        try keep(incoming.file, as: incoming.media, recorded)
    }

    /// Gives a complete file its final name. Another file of that name is replaced, since its bytes may no longer be
    /// right. Of a file that was taken over before, the name it has now stays until ``forget(_:)``.
    func keep(_ file: any StreamFile, as media: StoredMedia, _ recorded: Recording) throws {
        let name = fileName(for: media.digest)
        let target = place(named: name)
        try file.complete()
        try file.synchronise()
        try Directory.create(Directory.parent(of: target))
        try recorded(media) {
            try Directory.move(file.path, to: target)
            try Directory.remove(earlierPlace(named: name))
        }
        forgetDamage(of: media.digest)
    }

    /// The bytes of a stream. Reading it as a whole throws `ByteStreamError` with code `changed`, before the last byte
    /// is given, if they are not those that were kept; of an encrypted stream reading any changed part does.
    ///
    /// - Throws: `ByteStreamError` with code `notFound` if it is not in the folder, `changed` if it is encrypted and
    ///   has been cut or changed.
    package func source(digest: String) throws -> any ByteSource {
        guard StoredMedia.isDigest(digest) else {
            throw ByteStreamError(.notFound, "\(digest) is not the digest of a stream.")
        }
        let path = location(of: digest)
        guard let encryption else { return checked(try FileSource(path: path), digest: digest) }
        return CheckedSource(
            source: try SealedStreamSource(path: path, key: encryption.key), name: digest, comparesDigest: false,
            folder: self)
    }

    /// `source`, which is not encrypted piece by piece, as ``source(digest:)`` gives it.
    package func checked(_ source: any ByteSource, digest: String) -> any ByteSource {
        CheckedSource(source: source, name: digest, comparesDigest: true, folder: self)
    }

    /// Whether a read since the folder was opened has found a stream damaged.
    package func isDamaged(_ digest: String) -> Bool { damaged.withLock { $0.contains(digest) } }

    /// The stream has been kept anew.
    package func forgetDamage(of digest: String) { damaged.withLock { _ = $0.remove(digest) } }

    func noteDamage(of digest: String) { damaged.withLock { _ = $0.insert(digest) } }

    package func contains(digest: String) -> Bool { length(digest: digest) != nil }

    /// In bytes; nil if the stream is not in the folder.
    package func length(digest: String) -> Int64? {
        StoredMedia.isDigest(digest) ? fileLength(of: digest).flatMap(streamLength(ofFile:)) : nil
    }

    /// Removes a stream. Readers that have opened it read on.
    ///
    /// To be called where no reference to the digest can be added meanwhile: inside the owner's write transaction that
    /// found none. A transaction that adds a reference asks ``contains(digest:)`` first.
    package func remove(digest: String) throws {
        guard StoredMedia.isDigest(digest) else { return }
        let name = fileName(for: digest)
        try removeFile(named: name)
        try removeDerived(name)
    }

    /// A new name for a stream that is being written.
    var temporaryPath: String { "\(incoming)/\(getpid())-\(UInt64.random(in: .min ... .max))" }

    func makeTemporary() throws -> any StreamFile {
        try Directory.create(incoming)
        while true {
            let file = try streamFile(path: temporaryPath, .new)
            do {
                try file.lock()
                return file
            } catch let error as MediaFileError where error.code == .busy {
                // Another process has removed it as an abandoned one before it was locked.
            }
        }
    }

    func forget(_ file: any StreamFile) {
        // After success the name is gone already; after an error a file that stays is removed at the next start.
        _ = try? Directory.remove(file.path)
    }

    /// Removes unlocked files of interrupted writes; returns their number.
    @discardableResult
    package func removeAbandoned() throws -> Int {
        try Directory.names(in: incoming).count { try removeAbandoned("\(incoming)/\($0)") }
    }

    private func removeAbandoned(_ path: String) throws -> Bool {
        do {
            let file = try WritableFile(path: path, .reading)
            // No other process locks it before it is removed.
            defer { withExtendedLifetime(file) {} }
            try file.lock()
            return try Directory.remove(path)
        } catch {
            // It is being written, or has got its name.
            guard error.code == .busy || error.code == .notFound else { throw error }
            return false
        }
    }
}
