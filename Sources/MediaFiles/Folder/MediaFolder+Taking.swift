import ByteStreams

extension MediaFolder {
    private static let pieceLength = 128 * 1024

    /// Takes in a file by a second name, without copying its bytes; nil where that is not possible.
    ///
    /// - Throws: `ByteStreamError` with code `changed` if it does not have the digest that its source reports.
    func take(_ source: any TakeableSource) async throws -> IncomingMedia? {
        guard encryption == nil, let path = source.takeablePath, let file = try secondName(of: path) else { return nil }
        do {
            var (hasher, head) = (MediaHasher(), [UInt8]())
            while case let bytes = try file.read(Self.pieceLength, at: hasher.length), !bytes.isEmpty {
                try Task.checkCancellation()
                // Others use the thread too.
                await Task.yield()
                hasher.update(bytes)
                head += bytes.prefix(IncomingMedia.headLength - head.count)
            }
            let media = hasher.finish()
            if let length = source.length, length != media.length {
                throw MediaFileError(
                    .wrongLength,
                    "The stream has \(media.length) bytes where \(length) were "
                        + "announced.")
            }
            if let digest = source.digest, digest != SourceDigest(algorithm: "sha-256", hexadecimal: media.digest) {
                throw ByteStreamError(
                    .changed,
                    "It does not have the \(digest.algorithm) digest that was sent "
                        + "with it.")
            }
            return IncomingMedia(media, head: head, file: file, folder: self)
        } catch {
            forget(file)
            throw error
        }
    }

    /// The file under a second name, locked by this process; nil where that is not possible.
    private func secondName(of path: String) throws -> WritableFile? {
        let name = temporaryPath
        guard Directory.addName(name, to: path) else { return nil }
        do {
            let file = try WritableFile(path: name, .reading)
            try file.lock()
            return file
        } catch {
            try Directory.remove(name)
            return nil
        }
    }
}
