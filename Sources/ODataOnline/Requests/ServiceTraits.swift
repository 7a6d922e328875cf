import HTTPTypes
import ODataStores
import ODataTransport
import Synchronization

/// What a service's answers tell of it.
final class ServiceTraits: Sendable {
    private struct Known {
        var version: String?
        var tellsVersions = false
        var recognizesRepeatedRequests = false
        var unsupportedUploads: Set<UploadPlace> = []
        var refusedPreferences: Set<RefusedPreference> = []
    }

    /// Where streams are uploaded, and how.
    struct UploadPlace: Hashable, Sendable {
        /// ``UploadMethod/name``
        var method: String
        /// `Photos`, `Employees/Photo`
        var resource: String
    }

    private let known = Mutex(Known())

    /// `4.0`, sent along from then on; nil before the first answer. Services of 4.0 may refuse `OData-Version: 4.01`;
    /// what requests carry here is valid in both.
    ///
    /// [OData-Protocol, section 8.1.5]
    var version: String? { known.withLock { $0.version } }

    /// Whether it has told a version with some answer, before V4 by `DataServiceVersion`: then it does so with all.
    var tellsVersions: Bool { known.withLock { $0.tellsVersions } }

    /// Whether it has said that it carries out a request with `Repeatability-Request-ID` once.
    ///
    /// [Repeatable Requests 1.0]
    var recognizesRepeatedRequests: Bool { known.withLock { $0.recognizesRepeatedRequests } }

    /// Whether the service did not know a method of uploading there, and took the stream whole, or the begin for it.
    func isUnsupported(_ place: UploadPlace) -> Bool { known.withLock { $0.unsupportedUploads.contains(place) } }

    func noteUnsupported(_ place: UploadPlace) {
        known.withLock { known in _ = known.unsupportedUploads.insert(place) }
    }

    /// What requests are sent without, since the service has refused them with it.
    var refusedPreferences: Set<RefusedPreference> { known.withLock { $0.refusedPreferences } }

    func noteRefused(_ preferences: Set<RefusedPreference>) {
        known.withLock { $0.refusedPreferences.formUnion(preferences) }
    }

    /// Takes `OData-Version: 4.01` and `Repeatability-Result: accepted` of an answer.
    func learn(_ fields: HTTPFields) {
        let version = fields[.oDataVersion]?.split(separator: ";").first.map(String.init)
        let isAccepted = fields[.repeatabilityResult]?.lowercased() == "accepted"
        let tellsVersion = fields.tellsVersion
        known.withLock { known in
            if tellsVersion { known.tellsVersions = true }
            if let version, version.hasPrefix("4."), known.version == nil { known.version = version }
            if isAccepted { known.recognizesRepeatedRequests = true }
        }
    }
}

extension HTTPFields {
    /// `OData-Version: 4.0`, `DataServiceVersion: 2.0`
    var tellsVersion: Bool { contains(.oDataVersion) || contains(.dataServiceVersion) }
}
