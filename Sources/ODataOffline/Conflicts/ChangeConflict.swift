import ODataModel
import ODataQuery
import ODataStores

/// Changes made here that meet a newer version of their entity at the service, or none.
///
/// [OData-Protocol, section 11.4.1.1: Use of ETags for Avoiding Update Conflicts]
public struct ChangeConflict: Sendable {
    /// Where the conflict was met.
    public enum Occasion: String, Sendable {
        /// The service refused a request: 412, 409, or 404 of an entity that was there.
        case upload
        /// A download brought the newer version, or says that the entity is gone.
        case download
    }

    /// At a download no request has been refused yet: ``error`` is nil then.
    public var occasion: Occasion
    /// The name of the entity set: that of the resolver too.
    public var entitySet: String
    /// The entity, relative to the service root.
    public var path: String
    /// The requests that change the entity and wait, in their order.
    public var requests: [QueueEntry]
    /// The version that the changes were made to; nil for an entity that was created here.
    public var base: EdmEntity?
    /// The entity with the changes made here; nil if it was deleted here.
    public var mine: EdmEntity?
    /// The version of the service; nil if the entity was deleted there.
    public var theirs: EdmEntity?
    /// What the service answered, at an upload.
    public var error: ODataError?
}

/// What is to become of a ``ChangeConflict``.
public enum ConflictResolution: Sendable {
    /// The changes made here stay and are sent with the ETag of the version of the service; properties that were not
    /// changed here are those of the service. What was deleted there is created again, what was deleted here is
    /// deleted there.
    case mine
    /// The local changes are discarded; the other changes of a change set stay, and are sent as one.
    case theirs
    /// The properties given here are sent in the place of all changes made here, as an update of the version of the
    /// service; of an entity that was deleted there they are laid over what is here, and it is created again. Properties
    /// that do not fit the entity leave the request in the error archive, with the reason.
    case merged(EntityPayload)
    /// At an upload the request is moved to the error archive; after a download everything stays as it is.
    case hold
}

/// Decides conflicts: of one entity set, or of all.
public enum ConflictResolver: Sendable {
    /// As ``ConflictResolution/mine`` for each conflict, without asking.
    case clientWins
    /// As ``ConflictResolution/theirs`` for each conflict, without asking.
    case serviceWins
    /// Conflicts go to the error archive.
    case hold
    /// The app's own decision. One that throws holds.
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
