import ArgumentParser
import Foundation
import MediaFiles
import OData

/// The folder of a store, with the key of an encrypted one and what is said of its streams.
struct StoreFolderArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The store's folder.", valueName: "folder"), completion: .directory) var path: String
    @OptionGroup var quiet: QuietOption
    @OptionGroup var key: KeyFileOption
    @OptionGroup(title: "Media") var media: MediaOptions

    /// The folder as if it had been given with these options.
    static func named(_ path: String, options: [String]) throws -> StoreFolderArgument {
        try parse(options + ["--", path])
    }

    /// The root of the store's service; nil if it is unknown.
    var host: String? { try? AbsoluteURL(typed: StoreSettings.read(from: path).service).authority }
}

/// The file that an encrypted store's key is read from.
struct KeyFileOption: ParsableArguments {
    @Option(
        help: "A file with the key of an encrypted store: 32 bytes, or 64 hexadecimal digits. Else $ODATA_KEY_FILE.",
        completion: .file())
    var keyFile: String?

    /// Nil if none was given.
    func read() throws -> EncryptionKey? {
        let given = keyFile ?? ProcessInfo.processInfo.environment["ODATA_KEY_FILE"]
        return try given.flatMap { $0.isEmpty ? nil : try Self.key(in: $0) }
    }

    static func key(in file: String) throws -> EncryptionKey {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Failure("The key file \(file) cannot be read.")
        }
        if data.count == EncryptionKey.byteCount { return try EncryptionKey(data) }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = EdmValue.bytes(hexadecimal: text), bytes.count == EncryptionKey.byteCount else {
            throw Failure(
                "\(file) is not a key: it must have \(EncryptionKey.byteCount) bytes, or twice as many "
                    + "hexadecimal digits."
            )
        }
        return try EncryptionKey(bytes)
    }
}

/// Opens the offline store of a folder for the length of a command.
enum StoreSession {
    /// Without network: reads and local changes.
    static func offline<Result>(
        _ folder: StoreFolderArgument, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        try await offline(folder.path, key: folder.key, media: folder.media, body)
    }

    /// Without network: reads and local changes.
    static func offline<Result>(
        _ path: String, key: KeyFileOption, media: MediaOptions, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let settings = try StoreSettings.read(from: path)
        let configuration = try media.configuration(settings)
        try checkDatabase(of: path)
        return try await run(openStore(path, settings, remote: nil, configuration, key.read()), body)
    }

    /// Without network, to look only: also while another process has the store open. A store that was made by an app is
    /// opened for reading only: what another version of the tool would change in it, the app might not read any more. So is
    /// one that cannot be written.
    static func viewing<Result>(
        _ folder: StoreFolderArgument, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let store: OfflineStore
        guard let settings = try StoreSettings.readIfThere(from: folder.path) else {
            return try await reading(folder, body)
        }
        let configuration = try folder.media.configuration(settings)
        try checkDatabase(of: folder.path)
        do {
            store = try openStore(folder.path, settings, remote: nil, configuration, folder.key.read())
        } catch let error as ODataError where error.code == .unusableStore || error.code == .storage {
            guard
                let reader = try? OfflineStore(
                    folder: folder.path, remote: nil, configuration: configuration, key: folder.key.read(),
                    isReadOnly: true)
            else { throw error }
            return try await run(reader, body)
        }
        return try await run(store, body)
    }

    /// Without network and without changes, whether or not another process has the store open.
    static func reading<Result>(
        _ folder: StoreFolderArgument, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let configuration = try folder.media.configuration(try StoreSettings.readIfThere(from: folder.path))
        let key = try folder.key.read()
        let store = try tellingFolders {
            try OfflineStore(
                folder: folder.path, remote: nil, configuration: configuration, key: key, isReadOnly: true)
        }
        return try await run(store, body)
    }

    /// Notes in the store what a check has found damaged, unless it cannot be opened for changes now.
    static func noteDamage(_ check: StoreCheck, in folder: StoreFolderArgument) async throws {
        guard !check.damagedStreams.isSubset(of: check.lostStreams) else { return }
        do { try await offline(folder) { store in try await store.noteDamage(check) } } catch {
            guard let reason = (error as? ODataError)?.message ?? (error as? Failure)?.description else { throw error }
            Console.message("The damage is not noted, so that no download fetches the streams again: \(reason)")
        }
    }

    /// As ``reading(_:_:)``, until `body` or the process ends.
    static func following(
        _ folder: StoreFolderArgument, _ body: @escaping @Sendable (OfflineStore) async throws -> Void
    ) async throws {
        try await reading(folder) { store in
            let signals = try TerminationSignals()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body(store) }
                group.addTask { await signals.wait() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// While the service is reachable: download and upload.
    ///
    /// - Parameter countsEntities: Whether downloads ask how many entities there are.
    static func online<Result>(
        _ folder: StoreFolderArgument, _ connection: ConnectionOptions, countsEntities: Bool = true,
        reading: DownloadOptions? = nil, deepInserts: DeepInsertForm = .automatic,
        _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let settings = try StoreSettings.read(from: folder.path)
        try checkDatabase(of: folder.path)
        var configuration = try folder.media.configuration(settings)
        configuration.countsEntities = countsEntities
        if let size = reading?.pageSize { configuration.downloadPageSize = size }
        configuration.deepInserts = deepInserts
        let key = try folder.key.read()
        return try await connection.withStore(
            settings.service, tokenCommand: settings.tokenCommand, badValuesAsNull: reading?.badValuesAsNull ?? false
        ) { remote in
            try await run(openStore(folder.path, settings, remote: remote, configuration, key), body)
        }
    }

    /// Opens the store for changes, and keeps where its streams are now.
    private static func openStore(
        _ path: String, _ settings: StoreSettings, remote: (any ODataStore)?,
        _ configuration: OfflineStore.Configuration, _ key: EncryptionKey?
    ) throws -> OfflineStore {
        let store = try tellingFolders {
            try OfflineStore(folder: path, remote: remote, configuration: configuration, key: key)
        }
        guard configuration.mediaFolder != settings.mediaFolder else { return store }
        var settings = settings
        settings.mediaFolder = configuration.mediaFolder
        do { try settings.write(to: path) } catch {
            try? store.close()
            throw error
        }
        return store
    }

    /// The error for a store whose streams are in another folder, with the options that open it.
    private static func tellingFolders(_ body: () throws -> OfflineStore) throws -> OfflineStore {
        do { return try body() } catch let error as ODataError
            where (error.cause as? MediaFileError)?.code == .otherFolder
        {
            let advice = "The options are --media-folder <folder> and --replace-media-folder; nothing was changed."
            throw Failure("\(error.message)\n\(advice)")
        }
    }

    /// A store that was made has a database: a new one in its place would hide that requests are lost.
    private static func checkDatabase(of folder: String) throws {
        let path = try OfflineStore.databasePath(in: folder)
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure("\(path) is missing: the store's data and unsent changes are not there. Restore it.")
        }
    }

    static func run<Result>(
        _ store: OfflineStore, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        do {
            try await store.open()
            let result = try await body(store)
            try store.close()
            return result
        } catch {
            try? store.close()
            throw error
        }
    }
}
