import ByteStreams
import ODataModel

/// What an operation gives, before it is put into a response.
enum Answer: Sendable {
    case json([UInt8])
    case file(FileAnswer)

    /// `{…}`, its members made by `content`.
    static func object(_ content: (inout JSONText) -> Void) -> Answer {
        var text = JSONText()
        text.object(content)
        return .json(text.bytes)
    }
}

/// An attachment's content.
struct FileAnswer: Sendable {
    var source: any ByteSource
    var size: Int64
    var name: String
    var contentType: String
    /// Nil where the service tells none.
    var entityTag: String?
    var supportsRanges: Bool
}
