import ByteStreams
import ODataModel

/// What an operation gives, before it is put into a response.
enum RestResponse: Sendable {
    case json([UInt8])
    case file(FileResponse)

    /// `{…}`, its members made by `content`.
    static func object(_ content: (inout JSONText) -> Void) -> RestResponse {
        var text = JSONText()
        text.object(content)
        return .json(text.bytes)
    }
}

/// An attachment's content.
struct FileResponse: Sendable {
    var source: any ByteSource
    var size: Int64
    var name: String
    var contentType: String
    /// Nil where the service tells none.
    var entityTag: String?
    var supportsRanges: Bool
}
