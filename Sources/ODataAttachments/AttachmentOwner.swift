import EncryptionKeys
import ODataOffline
import ODataStores
import Synchronization

/// Hands out the managers of entities' attachments, one for each entity, and keeps their journal.
///
/// With an offline store edits are in its database and content is in its media folder: they are as durable and as
/// encrypted as the store. Without one they are in a folder that the owner is given, which one owner may use at a time.
public final class AttachmentOwner: Sendable {
    private let backEnd: any AttachmentBackEnd
    private let journal: any AttachmentJournal
    private let managers = Mutex<[String: AttachmentManager]>([:])

    /// For attachments whose edits an offline store keeps. One owner for each store: two would not see each other's
    /// edits.
    public init(store: OfflineStore, backEnd: any AttachmentBackEnd) {
        self.backEnd = backEnd
        journal = StoreJournal(store: store)
    }

    /// For attachments without an offline store.
    ///
    /// - Parameters:
    ///   - folder: Of the owner's own; made if there is none.
    ///   - key: Encrypts a new folder, and opens it again.
    ///   - backEnd: Where the attachments are kept.
    /// - Throws: ``ODataError`` `unusableStore` if the folder is something else, of a newer version or in use, or if it
    ///   is not encrypted and a key is given; `wrongKey`; `keyNeeded`; `storage`.
    public init(folder: String, key: EncryptionKey? = nil, backEnd: any AttachmentBackEnd) throws {
        self.backEnd = backEnd
        journal = try FolderJournal(folder: folder, key: key)
    }

    /// The manager of an entity's attachments, with all that is known of them: `Inspections(1)`. It is the same as long
    /// as the entity is, also where its id changes with an upload.
    ///
    /// - Throws: ``ODataError`` `badRequest` if the path is not an entity; the service's error if its metadata are
    ///   needed and not received.
    public func manager(for entity: String) async throws -> AttachmentManager {
        try await takeNewNames()
        let name = try await backEnd.currentName(of: entity)
        let manager = managers.withLock { managers in
            if let manager = managers[name] { return manager }
            let manager = AttachmentManager(entity: name, backEnd: backEnd, journal: journal)
            managers[name] = manager
            return manager
        }
        try await manager.look()
        return manager
    }

    /// The manager of the attachments of an entity with this id, as lists have it.
    ///
    /// - Throws: As ``manager(for:)-(String)``; ``ODataError`` `badRequest` for an entity that is not in a store.
    public func manager(for id: EntityID) async throws -> AttachmentManager {
        guard let entity = id.text else {
            throw ODataError(.badRequest, "The entity is not in a store: create it before it gets attachments.")
        }
        return try await manager(for: entity)
    }

    /// Whether an attachment of any entity has edits that were not posted.
    public var hasLocalEdits: Bool {
        get async throws { try await journal.read { try $0.haveEdits() } }
    }

    /// Removes what was fetched of all entities. Edits stay. The service is not asked.
    ///
    /// - Throws: ``ODataError`` if the journal cannot be written.
    public func clear() async throws {
        try await journal.write { records in
            for entity in try records.entities() { try records.clear(entity) }
        }
        try await journal.collect()
        for manager in managers.withLock({ Array($0.values) }) { try await manager.look() }
    }

    /// Attachments of entities that were uploaded since are found under their new ids.
    private func takeNewNames() async throws {
        let known = try await journal.read { try $0.entities() }
        for entity in Set(known).union(managers.withLock { $0.keys }) {
            guard let name = try? await backEnd.currentName(of: entity), name != entity else { continue }
            try await journal.write { try $0.rename(entity, to: name) }
            managers.withLock { managers in
                guard let manager = managers.removeValue(forKey: entity) else { return }
                manager.rename(to: name)
                if managers[name] == nil { managers[name] = manager }
            }
        }
    }
}
