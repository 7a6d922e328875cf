import ByteStreams
import Foundation
import HTTPTypes
import ODataStores
import ODataTransport
import Synchronization

/// Responses to reads, kept as files, for an app that shows what it last saw before the service has responded, or where
/// there is no service at all.
///
/// A response is found by its URL, its `Accept` and the user, if the headers that `Vary` names are the same. The user
/// stands for `Authorization` and `Cookie`; a response that varies by another header which a middleware of the app adds
/// is not kept, since it could not be distinguished from others. Kept are responses 200 to reads of entities, values
/// and counts, and the metadata; none with `Cache-Control: no-store`, no deltas, no media, and no response to
/// a change. A change makes what was kept of its URL void, in a batch too. Files are written beside their place and
/// renamed, so that a response is whole or not there. Where there are too many bytes, the response that was not used
/// for the longest time is evicted.
///
/// One folder is used by one cache at a time. The files are readable: put the folder where the system protects it.
///
/// [RFC 9111]
public final class ResponseCache: Sendable {
    let folder: String
    let maxBytes: Int64
    private let user: String
    private let index: Mutex<CacheIndex>

    /// - Parameters:
    ///   - folder: Is made if it is not there.
    ///   - maxBytes: Of all files together.
    ///   - user: Whose responses are kept: those of another user are not found.
    /// - Throws: ``ODataError`` with code `storage` if the folder cannot be used.
    public init(folder: String, maxBytes: Int64 = 64 * 1024 * 1024, user: String = "") throws {
        self.folder = folder
        self.maxBytes = maxBytes
        self.user = user
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            index = Mutex(CacheIndex())
            try readFolder()
        } catch {
            throw ODataError(.storage, "The folder \(folder) cannot be used as a cache: \(error)", cause: error)
        }
    }

    /// The bytes of all files.
    public var size: Int64 { index.withLock { $0.bytes } }

    /// Forgets all responses.
    public func removeAll() {
        index.withLock { index in
            index.removeAll()
        }
    }

    /// The response to a request with `fields` to `url`; nil if there is none.
    func response(to request: OutgoingRequest, fields: HTTPFields) -> CachedResponse? {
        let key = key(request)
        let file = index.withLock { $0.use(key) }
        guard let file else { return nil }
        guard let response = file.open(), response.head.key == key else {
            forget(key)
            return nil
        }
        file.touch()
        return response.head.isFor(fields) ? response : nil
    }

    /// The body of a response, which is kept once it was read to its end; nil if the response is not to be kept.
    ///
    /// - Parameters:
    ///   - fields: The headers by which the response is found again.
    ///   - sent: The headers as they were sent; nil where that is not known.
    func keeping(
        _ response: HTTPResponse, body: ByteContent, of request: OutgoingRequest, fields: HTTPFields, sent: HTTPFields?
    ) -> ByteContent? {
        guard
            let head = CachedResponse.Head(
                key: key(request), url: request.url.description, response, asked: fields, sent: sent),
            let writer = CacheWriter(head: head, cache: self), let chunks = try? body.chunks()
        else { return nil }
        let iterator = chunks.makeAsyncIterator()
        let kept = ByteChunks {
            do {
                guard let chunk = try await iterator.next() else {
                    writer.finish()
                    return nil
                }
                writer.write(chunk)
                return chunk
            } catch {
                writer.abandon()
                throw error
            }
        }
        return ByteContent(kept, length: body.length)
    }

    /// Takes over a file that is whole.
    func take(_ file: CacheFile, key: String) {
        index.withLock { index in
            index.add(file, key: key)
            index.shrink(to: maxBytes)
        }
    }

    /// Something at `urls` was changed.
    ///
    /// [RFC 9111, section 4.4]
    func invalidate(_ urls: [AbsoluteURL]) {
        index.withLock { index in
            for url in urls { index.remove(url: url.description) }
        }
    }

    private func forget(_ key: String) { index.withLock { $0.remove(key) } }

    private func key(_ request: OutgoingRequest) -> String {
        [request.url.description, request.fields[.accept] ?? "", user].joined(separator: "\n")
    }

    /// Finds the files of an earlier cache, and removes what a killed app left of unfinished ones.
    private func readFolder() throws {
        for (key, file) in try CacheFile.files(in: folder) { take(file, key: key) }
    }
}
