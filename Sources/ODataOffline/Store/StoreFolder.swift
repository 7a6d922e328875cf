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
///     current         the name of the database after a rebuild: `store-1.sqlite`
///     media/
///     lock            held by flock(2) for as long as the store is open for writing, with the number of the process
final class StoreFolder: Sendable {
    let path: String
    private let lock: Mutex<Int32?>
    private let current: Mutex<String>

    var database: String { path + "/" + current.withLock { $0 } }
    var media: String { path + "/media" }

    /// Makes the folder if there is none. For reading only it must be there, and nothing is locked.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if it is something else or in use, `storage` if it cannot be made.
    init(path: String, isReadOnly: Bool) throws {
        self.path = path
        let database = try? String(contentsOfFile: path + "/current", encoding: .utf8)
        current = Mutex(database ?? Self.firstDatabase)
        guard !isReadOnly else {
            lock = Mutex(nil)
            guard FileManager.default.fileExists(atPath: "\(path)/\(database ?? Self.firstDatabase)") else {
                throw ODataError(.unusableStore, "There is no store in \(path) to read.")
            }
            return
        }
        try Self.makeFolder(path)
        try Self.checkContents(path)
        lock = Mutex(try Self.takeLock(path + "/lock"))
        try removeAbandoned()
    }

    private static let firstDatabase = "store.sqlite"

    /// Where a rebuild makes its database.
    var nextDatabase: String {
        let number = current.withLock { name in name.dropFirst(6).prefix { $0 != "." } }
        return "store-\((Int(number) ?? 0) + 1).sqlite"
    }

    /// Makes the complete database `name` the store's: one step, which has happened or not whenever the process ends.
    /// Who has the one before open goes on with that.
    func switchDatabase(to name: String) throws {
        do {
            try Data(name.utf8).write(to: URL(fileURLWithPath: path + "/current.new"))
            for file in ["current.new", ""] { try Self.synchronise("\(path)/\(file)") }
            guard rename(path + "/current.new", path + "/current") == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            try Self.synchronise(path)
        } catch {
            throw ODataError(.storage, "The rebuilt database cannot take its place: \(error)", cause: error)
        }
        current.withLock { $0 = name }
        try removeAbandoned()
    }

    private static func synchronise(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Removes databases that are not the store's: of a rebuild that did not come to its end, or of before one.
    func removeAbandoned() throws {
        let name = current.withLock { $0 }
        for file in try FileManager.default.contentsOfDirectory(atPath: path)
        where Self.isDatabase(file) && !file.hasPrefix(name) || file == "current.new" {
            try? FileManager.default.removeItem(atPath: "\(path)/\(file)")
        }
    }

    private static func isDatabase(_ file: String) -> Bool {
        file.wholeMatch(of: /store(-[0-9]+)?\.sqlite(-wal|-shm|-journal)?/) != nil
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
        let own: Set<String> = ["media", "lock", "odata.json", "current", "current.new"]
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        guard !names.contains(where: isDatabase) else { return }
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
            let owner = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(Int32.init)
            let place = owner == nil ? "" : owner == getpid() ? " in this process" : " in the process \(owner ?? 0)"
            throw ODataError(
                .unusableStore,
                "The store is open already\(place). Close it there first, or open it for reading only.")
        }
        // For those who find it locked; nothing depends on it.
        _ = ftruncate(descriptor, 0)
        _ = "\(getpid())".withCString { write(descriptor, $0, strlen($0)) }
        return descriptor
    }
}
