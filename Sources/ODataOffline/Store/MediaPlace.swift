import EncryptionKeys
import Foundation
import MediaFiles
import MediaIndexes
import ODataStores

/// Where a store's streams are: in the store's own folder, or in one that it shares.
struct MediaPlace {
    let folder: StoreFolder
    let database: StoreDatabase
    let configuration: OfflineStore.Configuration

    private var isShared: Bool { configuration.mediaFolder != nil }

    /// - Throws: ``ODataError`` `unusableStore` if the streams that the store names are in another folder, or if the
    ///   folder is a service's; `wrongKey`, `keyNeeded`, `storage`.
    func open() throws -> FolderIndex {
        // Its own folder tells that a store is here, whether streams are in it or not.
        try makeOwn()
        let index: FolderIndex
        do {
            index = try FolderIndex(
                path: configuration.mediaFolder ?? folder.media, key: try key(), store: try name(),
                isShared: isShared, rowLimit: configuration.smallStreams)
        } catch let error as EncryptionError {
            throw ODataError(encryption: error)
        } catch let error as MediaFileError {
            throw ODataError(.storage, "The media folder cannot be used: \(error.message)", cause: error)
        }
        do { try check(index) } catch {
            index.close()
            throw error
        }
        return index
    }

    private func makeOwn() throws {
        guard isShared, !folder.hasStore else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder.media, withIntermediateDirectories: false)
        } catch {
            throw ODataError(.storage, "The folder \(folder.media) cannot be made: \(error)", cause: error)
        }
    }

    /// The key of the folder. Streams of an encrypted store are never plain.
    private func key() throws -> EncryptionKey? {
        guard isShared else { return folder.key }
        guard folder.key == nil || configuration.mediaKey != nil else {
            throw ODataError(
                .keyNeeded, "The store is encrypted and its media folder is not: give Configuration.mediaKey.")
        }
        return configuration.mediaKey
    }

    /// What the folder's index knows the store by.
    private func name() throws -> String {
        if let name = try database.read({ try StoreValues(db: $0).text(Self.nameValue) }) { return name }
        guard !database.isReadOnly else { return "reader" }
        let name = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        try database.writeDurably { try StoreValues(db: $0).set(Self.nameValue, name) }
        return name
    }

    /// The streams of a store that names any must not be taken for lost because it was opened with another folder.
    private func check(_ index: FolderIndex) throws {
        let current = isShared ? index.id : nil
        let (known, path) = try database.read { db in
            let values = StoreValues(db: db)
            return (try values.text(Self.folderValue), try values.text(Self.pathValue))
        }
        guard known != current else { return }
        let (holdsStreams, holdsUnsent) = try database.read { db in
            let streams = MediaIndex(db: db, schema: nil)
            return (try !streams.lengths.isEmpty, try !streams.unsent.isEmpty)
        }
        // A shared folder that was made where the store's was takes its place, whichever store has come first.
        let isRemoved = known != nil && (path == index.folder.path || index.isNew && !holdsUnsent)
        guard !holdsStreams || isShared && isRemoved else {
            let place = known == nil ? "the store's own folder" : "a shared folder, \(path ?? "")"
            throw ODataError(
                .unusableStore,
                "The streams of the store are in \(place), not in \(index.folder.path): open it with the "
                    + "Configuration.mediaFolder that it had, or clear it there first.")
        }
        guard !database.isReadOnly else { return }
        try database.writeDurably { db in
            let values = StoreValues(db: db)
            try values.set(Self.folderValue, current)
            try values.set(Self.pathValue, isShared ? index.folder.path : nil)
        }
    }

    /// What a store's database keeps of its place.
    static let values = [nameValue, folderValue, pathValue]
    private static let nameValue = "mediaUser"
    private static let folderValue = "mediaFolder"
    private static let pathValue = "mediaPath"
}
