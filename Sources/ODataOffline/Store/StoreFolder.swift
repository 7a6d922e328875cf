import Foundation
import ODataStores
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of an offline store, locked for this process.
///
///     store.sqlite    store.sqlite-wal    store.sqlite-shm
///     media/
///     lock            held by flock(2) for as long as the store is open
final class StoreFolder: Sendable {
    let path: String
    private let lock: Mutex<Int32?>

    var database: String { path + "/store.sqlite" }
    var media: String { path + "/media" }

    /// Makes the folder if there is none.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if it is something else or in use, `storage` if it cannot be made.
    init(path: String) throws {
        self.path = path
        try Self.makeFolder(path)
        try Self.checkContents(path)
        lock = Mutex(try Self.takeLock(path + "/lock"))
    }

    deinit { unlock() }

    /// Lets other users of the folder in.
    func unlock() {
        lock.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    private static func makeFolder(_ path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw ODataError(.unusableStore, "\(path) is a file, not the folder of a store.")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ODataError(.storage, "The folder \(path) cannot be made.", cause: error)
        }
    }

    /// A folder with somebody else's files is left alone.
    private static func checkContents(_ path: String) throws {
        let own: Set<String> = [
            "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal", "media", "lock",
            "odata.json",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        guard !names.contains("store.sqlite") else { return }
        if let other = names.sorted().first(where: { !own.contains($0) && !$0.hasPrefix(".") }) {
            throw ODataError(
                .unusableStore, "\(path) is no store: it holds \(other). Give an empty folder or one that a store made."
            )
        }
    }

    private static func takeLock(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw ODataError(.storage, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ODataError(
                .unusableStore, "The store is open already, here or in another process. Close it there first.")
        }
        return descriptor
    }
}
