import ODataModel
import ODataQuery

/// What the responses of a service have shown about it, in a storable form: an offline store gives it to a new online
/// store.
package struct LearnedTraits: Hashable, Sendable, Codable {
    /// A preference (`return`, `track-changes`, `maxpagesize`), or `if-match` for `If-Match: *`, that a service refuses at
    /// a resource.
    package struct Refusal: Hashable, Sendable, Codable {
        /// The name of the entity set; else the path without keys and options.
        package var resource: String
        /// Without `odata.` and value.
        package var preference: String

        package init(_ preference: String, of resource: String) {
            self.preference = preference
            self.resource = resource
        }
    }

    /// Whether some response had `OData-Version` or `DataServiceVersion`.
    package var tellsVersions = false
    /// The kinds of responses that had it: to changes (`update 204`), and to reads of streams (`stream Photos`).
    package var versionedChanges: Set<String> = []
    /// The kinds that did not have it although the change was executed.
    package var quietChanges: Set<String> = []
    /// What requests are sent without.
    package var refusals: Set<Refusal> = []

    package init() {}

    package mutating func merge(_ other: LearnedTraits) {
        tellsVersions = tellsVersions || other.tellsVersions
        versionedChanges.formUnion(other.versionedChanges)
        quietChanges.formUnion(other.quietChanges)
        refusals.formUnion(other.refusals)
    }

    /// Whether a response of this kind without a version may be the service's own: it has sent such a one before. Those of
    /// other kinds say nothing about it.
    package func isQuiet(_ kind: String) -> Bool { quietChanges.contains(kind) }

    /// Whether a change that was executed shows so for sure. What an update, a deletion or a link makes of the service's
    /// state may have been there before, or be made by others.
    package static func leavesTrace(_ kind: String) -> Bool { kind.hasPrefix("create ") || kind.hasPrefix("call ") }

    /// 204
    package static func isWithoutContent(_ kind: String) -> Bool { kind.hasSuffix(" 204") }
}

/// A store over a service that learns from its responses.
package protocol LearningStore: ODataStore {
    /// The root of the service, with its query if it has one.
    var serviceRoot: String { get }

    /// What it knows now.
    var learnedTraits: LearnedTraits { get }

    /// Takes in what was learned before, or by other means.
    func learn(_ traits: LearnedTraits)

    /// Takes in where an entity is changed, as the store has returned it: ``EdmEntity/editLink``.
    func learn(editLink: String, of entity: ResourcePath)
}

extension LearningStore {
    /// A change was executed whose response did not report the version: see ``ChangeResult/unproven``. Nothing is
    /// learned of a kind that leaves no trace of its own: ``LearnedTraits/leavesTrace(_:)``.
    package func noteExecuted(unproven kind: String) {
        guard LearnedTraits.leavesTrace(kind) else { return }
        var traits = LearnedTraits()
        traits.quietChanges = [kind]
        learn(traits)
    }
}
