import ODataStores

/// A file that belongs to an entity: a photo of an inspection, a drawing of a machine.
public struct EntityAttachment: Hashable, Sendable, Identifiable {
    /// What was done to an attachment here.
    public enum EditState: String, Hashable, Sendable, Codable, CaseIterable {
        /// As the service has it.
        case original
        /// Made here and not posted yet.
        case added
        /// Other content, name, type or keywords than the service has.
        case updated
        /// To be deleted at the service by the next posting; until then the mark can be undone.
        case markedForDeletion
        /// Gone at the service, and from the next list.
        case deletedFromServer
    }

    /// What a service that looks for malware says of content. The set is open: services have states of their own.
    public struct ScanState: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not looked at: it has not arrived, or the service does not look.
        public static let unscanned = ScanState(rawValue: "Unscanned")
        /// It has arrived and cannot be read yet.
        public static let scanning = ScanState(rawValue: "Scanning")
        /// It was looked at, nothing was found, and it can be read.
        public static let clean = ScanState(rawValue: "Clean")
        /// It has malware in it, and cannot be read.
        public static let infected = ScanState(rawValue: "Infected")
        /// The service could not look at it, and it cannot be read.
        public static let failed = ScanState(rawValue: "Failed")
    }

    /// Given here, never again to another one, and the same before and after posting.
    public let id: Int64
    /// What the back end calls it; nil before it is posted.
    public var remoteID: String?
    /// As it is edited here; what was not edited is as the service listed it last.
    public var details: AttachmentDetails
    /// In bytes; nil where the service does not say.
    public var size: Int64?
    /// How it differs from what the service has, and so what posting would do.
    public var editState: EditState
    /// Whether its content was given or fetched here, and ``AttachmentManager/content(of:)`` has it; nothing is said of
    /// whether the service has any. So it is false of a stream that an offline store holds until it is fetched from there,
    /// which needs no network.
    public var hasContent: Bool
    /// An edit was sent and its response was lost: the next posting determines whether it was carried out. Until then
    /// it cannot be edited.
    public var isUnconfirmed: Bool
    /// As the service listed it last; nil where it does not look for malware.
    public var scanState: ScanState?

    /// The name of ``details``: that of a file.
    public var name: String { details.name }
    /// The media type of ``details``: `image/jpeg`
    public var contentType: String { details.contentType }
    /// The keywords of ``details``; empty where the service keeps none.
    public var keywords: [String] { details.keywords }

    /// Whether there is something to post.
    public var hasLocalEdits: Bool {
        switch editState {
        case .added, .updated, .markedForDeletion: true
        case .original, .deletedFromServer: false
        }
    }
}

/// What is said of an attachment besides its content.
public struct AttachmentDetails: Hashable, Sendable, Codable {
    /// The name of a file. Of one that is given here the last part is kept, behind slashes of both kinds, without control
    /// characters, and of at most 255 bytes of UTF-8.
    public var name: String
    /// `image/jpeg`
    public var contentType: String
    /// Words to find it by, in their order. Only where ``AttachmentLimits/allowsKeywords`` says so.
    public var keywords: [String]

    /// Details as they are given: the name is cut to that of a file when a manager gets them.
    public init(name: String, contentType: String, keywords: [String] = []) {
        self.name = name
        self.contentType = contentType
        self.keywords = keywords
    }

    /// With a name that services may take for that of a file; without one if nothing is left of it.
    var withFileName: AttachmentDetails {
        AttachmentDetails(name: name.fileName ?? "", contentType: contentType, keywords: keywords)
    }
}

/// What became of one attachment in a work on several.
public struct AttachmentResult: Sendable {
    /// As it is now.
    public var attachment: EntityAttachment
    /// Nil if it succeeded. The error of the network or of the service: ``ODataError/status`` reports whether
    /// a service returned.
    public var error: ODataError?
}
