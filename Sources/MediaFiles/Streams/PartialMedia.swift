import EncryptionKeys
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A stream of which some bytes are there: received bytes survive interruptions and restarts of the app.
///
/// The bytes only ever grow at the end, and a file system records a length after the bytes it covers, so all bytes that
/// are found after a crash were received.
package final class PartialMedia: Sendable {
    package let name: String
    private let folder: MediaFolder
    private let fileName: String
    private let state: Mutex<State>

    private struct State {
        let file: any StreamFile
        var length: Int64
        var origin: PartialOrigin?
        /// Nil until the bytes that were there have been hashed.
        var hasher: MediaHasher?
    }

    init(name: String, part start: Int64?, folder: MediaFolder) throws {
        self.name = name
        self.folder = folder
        fileName = folder.partialName(for: name) + (start.map { ".\($0)" } ?? "")
        let file = try folder.streamFile(path: "\(folder.partials)/\(fileName)", .existing)
        try file.lock()
        let length = try file.length()
        let origin = length > 0 ? Self.origin(of: fileName, in: folder) : nil
        state = Mutex(State(file: file, length: length, origin: origin, hasher: length == 0 ? MediaHasher() : nil))
    }

    /// The bytes so far.
    package var length: Int64 { state.withLock { $0.length } }

    /// Which stream they belong to; nil if that is not known, and they cannot be used.
    package var origin: PartialOrigin? { state.withLock { $0.origin } }

    /// Begins anew with the bytes of another stream.
    package func restart(origin: PartialOrigin) throws {
        try state.withLock { state in
            // In this order, so that a crash never leaves bytes of one stream with the origin of another.
            if state.origin != nil { try forgetOrigin() }
            state.origin = nil
            try state.file.truncate()
            try state.file.synchronise()
            state.length = 0
            state.hasher = MediaHasher()
            try record(origin)
            state.origin = origin
        }
    }

    package func append(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            var hasher = try hasher(of: &state)
            state.hasher = nil
            do {
                try state.file.append(bytes)
            } catch {
                // A part may have been written before the disk was full.
                state.length = try state.file.length()
                throw error
            }
            state.length += Int64(bytes.count)
            hasher.update(bytes)
            state.hasher = hasher
        }
    }

    /// Up to `count` of the bytes so far at `offset`; none at their end.
    package func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        try state.withLock { try $0.file.read(count, at: offset) }
    }

    /// Returns when the bytes so far are synchronised to the device.
    package func synchronise() throws {
        try state.withLock { try $0.file.synchronise() }
    }

    /// Makes a complete stream of the folder out of it. The partial stream is over then.
    ///
    /// - Throws: ``MediaFileError`` with code `wrongLength` if there are more or fewer bytes than `expectedLength`, and
    ///   `wrongDigest` if they are not those with the digest `expectedDigest`; the bytes stay as they are.
    package func finish(
        expectedLength: Int64?, expectedDigest: String? = nil, recorded: MediaFolder.Recording = { try $1() }
    ) throws -> StoredMedia {
        try state.withLock { state in
            let media = try hasher(of: &state).finish()
            if let expectedLength, expectedLength != media.length {
                throw MediaFileError(
                    .wrongLength, "\(name) has \(media.length) bytes where \(expectedLength) were announced.")
            }
            if let expectedDigest { try media.check(expectedDigest, of: name) }
            try folder.keep(state.file, as: media, recorded)
            try forgetOrigin()
            return media
        }
    }

    /// Removes the bytes so far.
    package func discard() throws {
        try state.withLock { state in
            try forgetOrigin()
            try Directory.remove(path)
            state.origin = nil
        }
    }

    /// - Throws: `EncryptionError` with code `damaged` if the bytes so far can no longer be read; they are removed
    ///   then, so that the stream can begin again.
    private func hasher(of state: inout State) throws -> MediaHasher {
        do { return try Self.hasher(of: &state) } catch let error as EncryptionError {
            try forgetOrigin()
            try state.file.truncate()
            (state.length, state.origin, state.hasher) = (0, nil, MediaHasher())
            throw error
        }
    }

    private static func hasher(of state: inout State) throws -> MediaHasher {
        if let hasher = state.hasher { return hasher }
        var hasher = MediaHasher()
        while hasher.length < state.length {
            let chunk = try state.file.read(128 * 1024, at: hasher.length)
            guard !chunk.isEmpty else {
                throw MediaFileError(.inputOutput, "\(state.file.path) became shorter while it was read.")
            }
            hasher.update(chunk)
        }
        state.hasher = hasher
        return hasher
    }

    private var path: String { "\(folder.partials)/\(fileName)" }

    private static func origin(of name: String, in folder: MediaFolder) -> PartialOrigin? {
        let path = "\(folder.partials)/\(name).json"
        guard let length = Directory.fileLength(path), length > 0, length < 65_536,
            let file = try? WritableFile(path: path, .reading), let bytes = try? file.read(Int(length), at: 0)
        else { return nil }
        guard let encryption = folder.encryption else { return PartialOrigin(json: bytes) }
        return encryption.openOrigin(bytes, of: name).flatMap(PartialOrigin.init(json:))
    }

    private func record(_ origin: PartialOrigin) throws {
        let bytes = try folder.encryption?.sealOrigin(origin.json, of: fileName) ?? origin.json
        do {
            // Where a power cut may take it away again, the stream only begins anew.
            _ = try SmallFile.replace(path + ".json", bytes)
        } catch let error as EncryptionError {
            throw MediaFileError(.write, path, errno: error.systemError ?? EIO)
        }
    }

    private func forgetOrigin() throws {
        if try Directory.remove(path + ".json") { try Directory.synchronise(folder.partials) }
    }
}
