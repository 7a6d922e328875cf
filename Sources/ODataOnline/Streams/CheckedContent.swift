import ByteStreams
import HTTPTypes
import MediaFiles
import ODataStores
import ODataTransport
import Synchronization

extension HTTPFields {
    /// The strongest digest of the whole stream that is not a SHA-256. Of a message with all of it, that of the message
    /// too.
    var otherDigest: AnnouncedDigest? {
        var found = digests(.contentDigest).merging(digests(.reprDigest)) { $1 }.merging(legacyDigests) { $1 }
        found["md5"] = found["md5"] ?? contentMD5
        return AnnouncedDigest.Algorithm.allCases.lazy.compactMap { algorithm in
            found[algorithm.rawValue].map { AnnouncedDigest(algorithm, $0) }
        }.first
    }
}

extension ByteContent {
    /// The same bytes; reading to their end throws ``ODataError`` with code `invalidResponse` if they are others than
    /// announced.
    func checked(against announced: AnnouncedDigest, of request: OutgoingRequest) throws -> ByteContent {
        let source = try chunks().makeAsyncIterator()
        let check = Mutex(announced.check)
        let chunks = ByteChunks {
            guard let chunk = try await source.next() else {
                try check.withLock { check in
                    do { try check.finish(of: request.name) } catch let error as MediaFileError {
                        throw ODataError(error)
                    }
                }
                return nil
            }
            check.withLock { $0.update(chunk) }
            return chunk
        }
        return ByteContent(chunks, length: length)
    }
}
