import HTTPTypes
import ODataQuery
import ODataStores
import ODataTransport
import Synchronization

/// What a service's responses describe it.
final class ServiceTraits: Sendable {
    private struct Known {
        var version: String?
        var recognizesRepeatedRequests = false
        var unsupportedUploads: Set<UploadPlace> = []
        var learned = LearnedTraits()
        /// Preferences that were sent and not refused, or without which the request was refused, too.
        var taken: Set<LearnedTraits.Refusal> = []
    }

    /// Where streams are uploaded, and how.
    struct UploadPlace: Hashable, Sendable {
        /// ``UploadMethod/name``
        var method: String
        /// `Photos`, `Employees/Photo`
        var resource: String
    }

    private let known = Mutex(Known())

    /// `4.0`, sent along from then on; nil before the first response. Services of 4.0 may refuse `OData-Version: 4.01`;
    /// what requests carry here is valid in both.
    ///
    /// [OData-Protocol, section 8.1.5]
    var version: String? { known.withLock { $0.version } }

    /// Whether it has sent a version with a response, before V4 by `DataServiceVersion`: then it does so with all that
    /// have content.
    var tellsVersions: Bool { learned.tellsVersions }

    /// What is kept beyond this process.
    var learned: LearnedTraits { known.withLock { $0.learned } }

    func learn(_ traits: LearnedTraits) { known.withLock { $0.learned.merge(traits) } }

    /// A response to a change of this kind (`update 204`) had a version.
    func noteVersion(with kind: String) { known.withLock { _ = $0.learned.versionedChanges.insert(kind) } }

    /// Whether the service has said that it carries out a request with `Repeatability-Request-ID` once.
    ///
    /// [Repeatable Requests 1.0]
    var recognizesRepeatedRequests: Bool { known.withLock { $0.recognizesRepeatedRequests } }

    /// Whether the service did not know a method of uploading there, and took the stream whole, or the begin for it.
    func isUnsupported(_ place: UploadPlace) -> Bool { known.withLock { $0.unsupportedUploads.contains(place) } }

    func noteUnsupported(_ place: UploadPlace) {
        known.withLock { known in _ = known.unsupportedUploads.insert(place) }
    }

    /// Whether requests to a resource are sent without a preference.
    func isRefused(_ preference: LearnedTraits.Refusal) -> Bool {
        known.withLock { $0.learned.refusals.contains(preference) }
    }

    /// Whether a refusal of a request has another reason than the preference, as far as earlier requests report.
    func isTaken(_ preference: LearnedTraits.Refusal) -> Bool { known.withLock { $0.taken.contains(preference) } }

    func noteRefused(_ preference: LearnedTraits.Refusal) {
        known.withLock { known in _ = known.learned.refusals.insert(preference) }
    }

    func noteTaken(_ preference: LearnedTraits.Refusal) { known.withLock { _ = $0.taken.insert(preference) } }

    /// Takes `OData-Version: 4.01` and `Repeatability-Result: accepted` of a response.
    func learn(_ fields: HTTPFields) {
        let version = fields[.oDataVersion]?.split(separator: ";").first.map(String.init)
        let isAccepted = fields[.repeatabilityResult]?.lowercased() == "accepted"
        let tellsVersion = fields.tellsVersion
        known.withLock { known in
            if tellsVersion { known.learned.tellsVersions = true }
            if let version, version.hasPrefix("4."), known.version == nil { known.version = version }
            if isAccepted { known.recognizesRepeatedRequests = true }
        }
    }
}

extension HTTPFields {
    /// `OData-Version: 4.0`, `DataServiceVersion: 2.0`
    var tellsVersion: Bool { contains(.oDataVersion) || contains(.dataServiceVersion) }
}

extension OnlineStore: LearningStore {
    package var learnedTraits: LearnedTraits { service.traits.learned }
    package func learn(_ traits: LearnedTraits) { service.traits.learn(traits) }
    package func learn(editLink: String, of entity: ResourcePath) { service.editLinks.note(editLink, of: entity.url) }
}
