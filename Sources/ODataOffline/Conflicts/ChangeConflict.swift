import ODataModel
import ODataQuery
import ODataStores

/// Local changes of an entity of which the service has a newer version, or which the service has deleted.
///
/// [OData-Protocol, section 11.4.1.1: Use of ETags for Avoiding Update Conflicts]
public struct ChangeConflict: Sendable {
    /// How the conflict was detected.
    public enum Occasion: String, Sendable {
        /// The service refused a request: 412, 409, or 404 for an entity that existed.
        case upload
        /// A download returned the newer version, or the entity's deletion.
        case download
    }

    /// A download detected it before a request was refused: ``error`` is then nil.
    public var occasion: Occasion
    /// The name of the entity set, which also selects the resolver.
    public var entitySet: String
    /// The entity, relative to the service root.
    public var path: String
    /// The waiting requests that change the entity, in their order.
    public var requests: [QueueEntry]
    /// The version that was changed; nil for an entity that was created on the device.
    public var base: EdmEntity?
    /// The entity with the local changes; nil if it was deleted on the device.
    public var mine: EdmEntity?
    /// The service's version; nil if the service has deleted the entity.
    public var theirs: EdmEntity?
    /// The error that the service returned to an upload.
    public var error: ODataError?
}

extension ChangeConflict: Identifiable {
    /// That of the entity: the same as in lists of its collection.
    public var id: EntityID { (mine ?? base ?? theirs)?.stableID ?? EntityID(path) }
}

/// The resolution of a ``ChangeConflict``.
public enum ConflictResolution: Sendable {
    /// The local changes stay and are sent with the ETag of the service's version; properties without local changes get
    /// the service's values. An entity that the service has deleted is created again; one that was deleted on the
    /// device is deleted at the service.
    case mine
    /// The local changes are discarded; the other changes of their change set stay and are sent as one change set.
    case theirs
    /// The given properties replace all local changes, and are sent as an update of the service's version. If the
    /// service has deleted the entity, they are merged into the local version, which is created again. Properties that
    /// do not fit the entity leave the request in the error archive, with the reason.
    case merged(EntityPayload)
    /// An upload moves the request to the error archive; after a download nothing changes.
    case hold
}

/// Resolves conflicts of one entity set or of all.
public enum ConflictResolver: Sendable {
    /// ``ConflictResolution/mine`` for each conflict.
    case clientWins
    /// ``ConflictResolution/theirs`` for each conflict.
    case serviceWins
    /// Conflicts go to the error archive.
    case hold
    /// The app's own decision. If it throws, the conflict is held.
    case custom(@Sendable (ChangeConflict) async throws -> ConflictResolution)

    func resolution(of conflict: ChangeConflict) async -> ConflictResolution {
        switch self {
        case .clientWins: .mine
        case .serviceWins: .theirs
        case .hold: .hold
        case .custom(let decide): (try? await decide(conflict)) ?? .hold
        }
    }

    var isHold: Bool { if case .hold = self { true } else { false } }
}

extension OfflineStore.Configuration {
    func conflictResolver(of set: String) -> ConflictResolver { conflictResolvers[set] ?? conflictResolver }
}
