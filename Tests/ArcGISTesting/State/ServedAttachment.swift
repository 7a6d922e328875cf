import ByteStreams

/// An attachment as the service has it.
package struct ServedAttachment: Sendable {
    package var id: Int64
    /// As the service writes it.
    package var globalID: String
    package var feature: Int64
    package var name: String
    package var contentType: String
    package var keywords: String?
    package var content: any ByteSource
    package var size: Int64
    /// How often the content was replaced.
    package var version = 0

    init(id: Int64, globalID: String, feature: Int64, file: AttachedFile) {
        self.id = id
        self.globalID = globalID
        self.feature = feature
        name = file.name
        contentType = file.contentType
        keywords = file.keywords
        content = file.source
        size = file.size
    }

    mutating func replace(with file: AttachedFile) {
        name = file.name
        contentType = file.contentType
        keywords = file.keywords ?? keywords
        content = file.source
        size = file.size
        version += 1
    }

    var entityTag: String { "\"\(id)-\(version)\"" }
}

/// What a client gives for an attachment.
struct AttachedFile: Sendable {
    var name: String
    var contentType: String
    var keywords: String?
    var source: any ByteSource
    var size: Int64
}
