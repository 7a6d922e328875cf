import ODataModel
import ODataStores

/// What a layer of a feature service says of itself, as far as attachments are concerned.
///
/// [ArcGIS REST API, Layer (Feature Service)]
public struct FeatureLayer: Hashable, Sendable {
    /// `name`: what people call the layer. It is not part of its URL.
    public var name: String
    /// `create`, `update`, `editing`, …: in lower case; nil if the layer reports none.
    public var capabilities: Set<String>?
    /// `hasAttachments`: whether features of the layer can have attachments at all.
    public var hasAttachments: Bool
    /// What is kept of attachments, in lower case: `name`, `keywords`, …; nil if the layer does not say.
    public var attachmentProperties: Set<String>?
    /// `globalIdField`: the field with the global ids of features; nil if the layer has none.
    public var globalIDField: String?
    /// Whether the attachments of many features can be listed in one request (`queryAttachments`), else one by one.
    public var supportsQueryAttachments: Bool
    /// Whether attachments can be made of uploads.
    public var supportsUploadIDs: Bool
    /// Whether clients can assign the global ids of their edits.
    public var supportsEditsWithGlobalIDs: Bool
    /// In bytes, of one file.
    public var maxUploadSize: Int64?
    /// Endings of the names of files, in lower case; nil if the service does not say.
    public var fileExtensions: Set<String>?

    /// - Throws: ``ODataError`` with code `invalidResponse` if this is not a layer.
    init(_ node: JSONNode) throws(ODataError) {
        guard let name = node.member("name")?.string, node.member("fields", "hasAttachments", "type") != nil else {
            throw ODataError(.invalidResponse, "The response describes no layer: the URL of one ends with its number.")
        }
        self.name = name
        capabilities = node.member("capabilities")?.words
        hasAttachments = node.isTrue("hasAttachments")
        attachmentProperties = node.member("attachmentProperties")?.elements.map { properties in
            Set(properties.filter { $0.isTrue("isEnabled") }.compactMap { $0.member("name")?.string?.lowercased() })
        }
        globalIDField = node.member("globalIdField")?.string.flatMap { $0.isEmpty ? nil : $0 }
        supportsQueryAttachments =
            node.isTrue("supportsQueryAttachments")
            || node.member("advancedQueryCapabilities")?.isTrue("supportsQueryAttachments") == true
        supportsUploadIDs = node.isTrue("supportsAttachmentsByUploadId")
        supportsEditsWithGlobalIDs = node.isTrue("supportsApplyEditsWithGlobalIds")
        addLimits(node)
    }

    /// Takes over what `uploads/info` says: `{"maxUploadFileSize":2000}`, in megabytes.
    mutating func addLimits(_ node: JSONNode) {
        if let size = node.member("maxUploadFileSize")?.wholeNumber, size > 0, size < 1 << 40 {
            maxUploadSize = size * 1024 * 1024
        }
        let types = node.member("allowedUploadFileTypes")?.words
        fileExtensions = types.flatMap(Self.fileExtensions) ?? fileExtensions
    }

    /// `jpg` of `JPG`, `.jpg` and `*.jpg`; nil if all files are taken, as by `*` and `*.*`, or if nothing is said.
    static func fileExtensions(_ endings: Set<String>) -> Set<String>? {
        var extensions: Set<String> = []
        for ending in endings {
            let name = ending.lowercased().filter { !$0.isWhitespace }.drop { "*.".contains($0) }
            if !name.isEmpty { extensions.insert(String(name)) } else if ending.contains("*") { return nil }
        }
        return extensions.isEmpty ? nil : extensions
    }

    /// Adding an attachment needs Create or Update.
    public var allowsAdding: Bool { allows(["create", "update"]) }

    /// Updating and deleting one needs Update.
    public var allowsChanging: Bool { allows(["update"]) }

    /// Services before 10.1 report only that they can be edited.
    private func allows(_ wanted: Set<String>) -> Bool {
        guard let capabilities else { return true }
        let isOld = capabilities.isDisjoint(with: ["create", "update", "delete"]) && capabilities.contains("editing")
        return isOld || !capabilities.isDisjoint(with: wanted)
    }

    /// Whether ``attachmentProperties`` has `keywords`; false where the layer does not say.
    public var keepsKeywords: Bool { attachmentProperties?.contains("keywords") ?? false }
}
