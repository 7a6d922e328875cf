import Foundation
import Synchronization

/// Writes a response while it is read.
final class CacheWriter: Sendable {
    private struct State {
        var handle: FileHandle?
        var size: Int64
    }

    private let state: Mutex<State>
    private let path: String
    private let head: CachedResponse.Head
    private let cache: ResponseCache

    /// Nil if no file can be written.
    init?(head: CachedResponse.Head, cache: ResponseCache) {
        path = "\(cache.folder)/\(UUID().uuidString)\(CacheFile.unfinished)"
        guard let line = head.line, FileManager.default.createFile(atPath: path, contents: Data(line)),
            let handle = FileHandle(forWritingAtPath: path)
        else { return nil }
        _ = try? handle.seekToEnd()
        state = Mutex(State(handle: handle, size: Int64(line.count)))
        self.head = head
        self.cache = cache
    }

    deinit { abandon() }

    /// A response that cannot be written, or is larger than the cache, is not kept.
    func write(_ chunk: [UInt8]) {
        let isWritten = state.withLock { state in
            guard let handle = state.handle else { return true }
            state.size += Int64(chunk.count)
            guard state.size <= cache.maxBytes else { return false }
            return (try? handle.write(contentsOf: Data(chunk))) != nil
        }
        if !isWritten { abandon() }
    }

    /// The response is whole.
    func finish() {
        let size = state.withLock { state -> Int64? in
            guard let handle = state.handle else { return nil }
            state.handle = nil
            return (try? handle.close()) == nil ? nil : state.size
        }
        guard let size else { return }
        let final = "\(cache.folder)/\(CacheFile.name(key: head.key, size: size))"
        guard rename(path, final) == 0 else { return }
        cache.take(CacheFile(path: final, size: size, url: head.url), key: head.key)
    }

    func abandon() {
        let handle = state.withLock { $0.handle.take() }
        guard let handle else { return }
        try? handle.close()
        try? FileManager.default.removeItem(atPath: path)
    }
}
