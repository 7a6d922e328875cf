import EncryptionKeys
import Foundation
import ODataStores
import Synchronization

/// The folder of an offline store, locked for this process.
///
///     store.sqlite    store.sqlite-wal    store.sqlite-shm
///     current         the name of the database after a rebuild: `store-1.sqlite`
///     keys            in an encrypted store: its key, wrapped by the app's
///     media/
///     lock            held by flock(2) for as long as the store is open for writing, with the number of the process
///
/// The folder is 0700 and the files are 0600, in a store that is not encrypted too.
final class StoreFolder: Sendable {
    let path: String
    /// The key of all data in the folder; nil if the store is not encrypted.
    let key: EncryptionKey?
    /// Whether nothing in it is made or changed.
    let isReadOnly: Bool
    private let lock: FolderLock?
    private let current: Mutex<String>

    var database: String { path + "/" + current.withLock { $0 } }
    var media: String { path + "/media" }
    /// Whether a store was made here, whatever has become of its database: the media folder is made after it.
    var hasStore: Bool { FileManager.default.fileExists(atPath: media) }
    var keys: StoreKeys { StoreKeys(folder: path) }

    /// Makes the folder if there is none. For reading only it must be there, and nothing is locked.
    ///
    /// - Parameter key: The app's key; nil for a store that is not encrypted.
    /// - Throws: ``ODataError`` `unusableStore` if it is something else, damaged or in use, `wrongKey`, `keyNeeded`,
    ///   `storage` if it cannot be made.
    init(path: String, key: EncryptionKey?, isReadOnly: Bool) throws {
        self.path = path
        self.isReadOnly = isReadOnly
        if isReadOnly {
            lock = nil
        } else {
            try Self.makeFolder(path)
            try Self.checkContents(path)
            lock = try FolderLock(path: path + "/lock")
            Self.restrict(path)
        }
        // A rebuild may have changed it until the lock was taken.
        let name = try Self.currentDatabase(in: path)
        current = Mutex(name)
        guard !isReadOnly || FileManager.default.fileExists(atPath: "\(path)/\(name)") else {
            throw ODataError(.unusableStore, "There is no store in \(path) to read.")
        }
        self.key = try StoreKeys(folder: path).open(with: key, database: "\(path)/\(name)")
        // What stays is removed another time.
        if !isReadOnly { try? removeAbandoned() }
    }

    private static let firstDatabase = "store.sqlite"
    /// What belongs to the store beside its databases.
    private static let own: Set<String> = ["media", "lock", "odata.json", "current", "keys"]

    /// The name of the store's database, whether it is there or is to be made.
    ///
    /// - Throws: ``ODataError`` `unusableStore` unless it is certain: other databases are removed.
    static func currentDatabase(in path: String) throws -> String {
        let file = path + "/current"
        guard FileManager.default.fileExists(atPath: path) else { return firstDatabase }
        do {
            guard let bytes = try SmallFile.readIfThere(file, upTo: 64) else {
                let names = try names(in: path).filter(isDatabase)
                guard names.isEmpty || names.contains(firstDatabase) else {
                    throw ODataError(
                        .unusableStore,
                        "\(file) is missing, which names the database among \(names.sorted().joined(separator: ", ")). "
                            + "Restore it; nothing was changed.")
                }
                return firstDatabase
            }
            let name = String(decoding: bytes, as: UTF8.self)
            guard isDatabase(name), FileManager.default.fileExists(atPath: "\(path)/\(name)") else {
                throw ODataError(
                    .unusableStore,
                    "\(file) does not name a database that is there. Restore both from a backup; nothing was changed.")
            }
            return name
        } catch let error as EncryptionError {
            throw ODataError(
                .unusableStore, "\(error.message) It names the store's database; nothing was changed.", cause: error)
        }
    }

    /// Where a rebuild makes its database.
    var nextDatabase: String {
        let number = current.withLock { name in name.dropFirst(6).prefix { $0 != "." } }
        return "store-\((Int(number) ?? 0) + 1).sqlite"
    }

    /// Makes the complete database `name` the store's: one step, which has happened or not whenever the process ends.
    /// A process that has the previous one open continues with it: its files stay until ``removeAbandoned()``.
    ///
    /// - Throws: ``ODataError`` `storage`; then it has not happened.
    func switchDatabase(to name: String) throws {
        do {
            // Where even a power cut may bring the old name back, its files are there still.
            _ = try SmallFile.replace(path + "/current", Array(name.utf8))
        } catch {
            throw ODataError(.storage, "The rebuilt database cannot take its place: \(error)", cause: error)
        }
        current.withLock { $0 = name }
    }

    /// Removes databases that are not the store's, of a rebuild that did not come to its end, or of before one, and
    /// files that were being made when a process ended.
    ///
    /// - Throws: ``ODataError`` `storage` if the folder cannot be read.
    func removeAbandoned() throws {
        let name = current.withLock { $0 }
        for file in try Self.names(in: path)
        where Self.isDatabaseFile(file) && !file.hasPrefix(name) || Self.isUnfinished(file) {
            try? FileManager.default.removeItem(atPath: "\(path)/\(file)")
        }
    }

    private static func names(in path: String) throws -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw ODataError(.storage, "The folder \(path) cannot be read: \(error.fileReason).", cause: error)
        }
    }

    private static func isDatabase(_ file: String) -> Bool {
        guard file.hasPrefix("store"), file.hasSuffix(".sqlite") else { return false }
        let number = file.dropFirst("store".count).dropLast(".sqlite".count)
        return number.isEmpty
            || number.first == "-" && number.count > 1 && number.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }

    /// A database or a file beside it.
    private static func isDatabaseFile(_ file: String) -> Bool {
        ["", "-wal", "-shm", "-journal"].contains { file.hasSuffix($0) && isDatabase(String(file.dropLast($0.count))) }
    }

    /// A file whose making was interrupted before it got its name.
    private static func isUnfinished(_ file: String) -> Bool {
        guard file.hasSuffix(".new") else { return false }
        let name = String(file.dropLast(".new".count))
        return ["current", "keys"].contains(name) || isDatabase(name)
    }

    /// Lets other users of the folder in.
    func unlock() { lock?.release() }

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
            throw ODataError(.storage, "The folder \(path) cannot be made: \(error.fileReason).", cause: error)
        }
        OwnerAccess.restrict(path)
    }

    /// Takes the store's folder and files from the other users of the system: an earlier release or the app may have made
    /// them for all. Those in the media folder were always their owner's, but for its index.
    private static func restrict(_ path: String) {
        OwnerAccess.restrict(path)
        for name in (try? names(in: path)) ?? [] where own.contains(name) || isDatabaseFile(name) || isUnfinished(name)
        {
            OwnerAccess.restrict("\(path)/\(name)")
        }
        for end in ["", "-wal", "-shm"] { OwnerAccess.restrict("\(path)/media/index.sqlite\(end)") }
    }

    /// A folder with other files is not changed.
    private static func checkContents(_ path: String) throws {
        let names = try names(in: path)
        guard !names.contains(where: isDatabaseFile) else { return }
        if let other = names.sorted().first(where: { !own.contains($0) && !isUnfinished($0) && !$0.hasPrefix(".") }) {
            throw ODataError(
                .unusableStore,
                "\(path) is not a store: it holds \(other). Give an empty folder or one that a "
                    + "store made."
            )
        }
    }
}

extension OfflineStore {
    /// Where the database of the store in `folder` is, or would be made: after a rebuild it has another name.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if the folder does not say.
    public static func databasePath(in folder: String) throws -> String {
        "\(folder)/\(try StoreFolder.currentDatabase(in: folder))"
    }
}
