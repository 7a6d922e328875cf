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

    /// - Throws: ``ODataError`` `unusableStore` if the store has another folder, or if the folder is a service's;
    ///   `wrongKey`, `keyNeeded`, `storage`.
    func open() throws -> FolderIndex {
        // Its own folder reports that a store is here, whether streams are in it or not.
        try makeOwn()
        let known = try known()
        try check(known)
        let index: FolderIndex
        do {
            let path = configuration.mediaFolder ?? folder.media
            let wanted = configuration.replacesMediaFolder ? nil : known
            index =
                try folder.isReadOnly
                ? FolderIndex(reading: path, key: key(), store: name(), isShared: isShared, known: wanted)
                : FolderIndex(
                    path: path, key: key(), store: name(), isShared: isShared, known: wanted,
                    rowLimit: configuration.smallStreams)
        } catch let error as EncryptionError {
            throw ODataError(encryption: error)
        } catch let error as MediaFileError {
            if let known, error.code == .otherFolder { throw refusal(known, cause: error) }
            throw ODataError(.storage, "The media folder cannot be used: \(error.message)", cause: error)
        }
        do { try note(index, known) } catch {
            index.close()
            throw error
        }
        return index
    }

    private func makeOwn() throws {
        guard isShared, !folder.isReadOnly, !folder.hasStore else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder.media, withIntermediateDirectories: false)
        } catch {
            throw ODataError(.storage, "The folder \(folder.media) cannot be made: \(error.fileReason).", cause: error)
        }
        OwnerAccess.restrict(folder.media)
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

    /// The shared folder that the store has; nil if it has its own, or none yet.
    private func known() throws -> KnownFolder? {
        try database.read { db in
            let values = StoreValues(db: db)
            return try values.text(Self.folderValue).map { id in
                // Smaller ones were in the index, and went with it if that was removed.
                let digests = try MediaIndex(db: db, schema: nil)
                    .someDigests(longerThan: Int64(configuration.smallStreams))
                return KnownFolder(id: id, path: try values.text(Self.pathValue) ?? "", digests: digests)
            }
        }
    }

    /// The streams of a store must not be taken for lost because it was opened with another folder than it has. Whether a
    /// shared folder is the right one, wherever it was moved to, its index reports.
    private func check(_ known: KnownFolder?) throws {
        let holdsStreams = try database.read { db in try !MediaIndex(db: db, schema: nil).isEmpty }
        guard let known else {
            guard isShared, holdsStreams else { return }
            throw otherFolder(
                "The streams of the store are in its own folder, and not in \(configuration.mediaFolder ?? ""): open it "
                    + "without Configuration.mediaFolder, or clear it before.")
        }
        guard configuration.replacesMediaFolder else {
            if isShared { return }
            throw refusal(known)
        }
        let isThere = known.path != configuration.mediaFolder && MediaFolder.hasIndex(at: known.path)
        guard holdsStreams, isThere else { return }
        throw otherFolder(
            "The media folder of the store is not gone, it is \(known.path): clear the store before it gets another one."
        )
    }

    private func refusal(_ known: KnownFolder, cause: MediaFileError? = nil) -> ODataError {
        let given = configuration.mediaFolder.map { path in
            let isAny = MediaFolder.hasIndex(at: path)
            guard path == known.path else { return ", and not \(path), which is \(isAny ? "another one" : "none")" }
            return isAny ? ", where another one is now" : ", which is not there any more"
        }
        return otherFolder(
            "The media folder of the store is \(known.path)\(given ?? ", and it was opened with none"). Open it with that "
                + "folder, wherever it was moved to (Configuration.mediaFolder); if it is lost, set "
                + "Configuration.replacesMediaFolder: unsent streams are lost then, all others are fetched again.",
            cause: cause)
    }

    private func otherFolder(_ message: String, cause: MediaFileError? = nil) -> ODataError {
        ODataError(.unusableStore, message, cause: cause ?? MediaFileError(.otherFolder, message))
    }

    /// The store has this folder from now on, where it is now.
    private func note(_ index: FolderIndex, _ known: KnownFolder?) throws {
        let (id, path): (String?, String?) = isShared ? (index.id, index.folder.path) : (nil, nil)
        guard known?.id != id || known?.path != path, !database.isReadOnly else { return }
        try database.writeDurably { db in
            let values = StoreValues(db: db)
            try values.set(Self.folderValue, id)
            try values.set(Self.pathValue, path)
        }
    }

    /// What a store's database keeps of its place.
    static let values = [nameValue, folderValue, pathValue]
    private static let nameValue = "mediaUser"
    private static let folderValue = "mediaFolder"
    private static let pathValue = "mediaPath"
}
