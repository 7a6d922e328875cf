import Foundation
import ODataService

/// What a ``FeatureServer`` has and how it behaves; what real ones differ in.
package struct FeatureServerConfiguration: Sendable {
    /// How responses write ids and names.
    package enum Style: Hashable, Sendable {
        /// As hosted services do: `"globalId": "5e1b4e4b-…"`, each name once.
        case hosted
        /// As servers of one's own do: `"globalId": "{5E1B4E4B-…}"`; `queryAttachments` gives properties a second time
        /// by the names of their fields (`ATTACHMENTID`), and the list of a feature has no global ids.
        case enterprise
    }

    package var name = "Inspections"
    package var layers = [FeatureLayer()]
    package var style = Style.hosted
    /// Passwords by name; empty where no token is needed.
    package var users: [String: String] = [:]
    /// How long a token lives at most.
    package var tokenMinutes: Int64 = 60
    /// After how many requests a token counts as expired; nil for as long as it lives.
    package var requestsPerToken: Int?
    /// In bytes of path and query. A gateway before the service refuses longer ones with ``longTargetStatus``.
    package var maximalTargetLength = 2048
    /// 404 or 414.
    package var longTargetStatus = 404
    /// How many attachments `queryAttachments` gives at once: `resultOffset` asks for the others.
    package var recordLimit = 2000
    /// Of attachments and uploaded items, in 1,048,576 bytes.
    package var maximalFileMegabytes: Int64 = 10
    /// Extensions in lower case of files that may be attached and uploaded.
    package var fileTypes = FileTypes.usual
    /// How long an uploaded item can be used after it was last changed, in milliseconds.
    package var uploadLifetime: Int64 = 86_400_000
    /// Whether `Range` is minded where an attachment is read.
    package var supportsRanges = true
    /// Whether errors are JSON also where `f` does not ask for it, as from the gateways of hosted services; else they are
    /// pages for people then, as the reference has it.
    package var alwaysSendsErrorsAsJSON = false
    /// Whether attachments have an `ETag`.
    package var sendsEntityTags = true
    /// A gateway before the service: receives it once, and responds in its place.
    package var front: @Sendable (any HTTPResponder) -> any HTTPResponder = { $0 }
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }

    package init() {}

    var maximalFileSize: Int64 { maximalFileMegabytes << 20 }
}

/// A table of features that may have attachments.
package struct FeatureLayer: Sendable {
    package enum Capability: String, CaseIterable, Sendable {
        case query = "Query"
        case create = "Create"
        case update = "Update"
        case delete = "Delete"
    }

    package var id = 0
    package var name = "Assets"
    package var capabilities = Set(Capability.allCases)
    package var hasAttachments = true
    package var hasGlobalIDs = true
    /// `supportsAttachmentsByUploadId`
    package var supportsUploadIDs = true
    /// `supportsApplyEditsWithGlobalIds`
    package var supportsEditsByGlobalID = true
    /// `supportsRollbackOnFailureParameter`; edits are always rolled back where it is not.
    package var supportsRollback = true
    /// `supportsQueryAttachments`
    package var supportsQueryAttachments = true
    /// The object ids that there are in the beginning.
    package var features: [Int64] = [1, 2, 3]

    package init() {}
}
