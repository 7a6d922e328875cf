import ByteStreams
import ODataModel

/// An item below `uploads`, whole or in parts.
struct UploadedItem: Sendable {
    var id: String
    var name: String
    var description: String?
    var contentType: String
    /// Milliseconds since 1970, of the last change.
    var date: Int64
    var isCommitted = false
    var parts: [Int: any ByteSource] = [:]
    /// Nil until the parts are put together.
    var content: (any ByteSource)?

    /// `"item": {"itemID": …}`
    func write(to text: inout JSONText) {
        text.object("item") { members(&$0) }
    }

    func members(_ text: inout JSONText) {
        text.member("itemID", id)
        text.member("itemName", name)
        text.name("description")
        text.string(description)
        text.member("date", date)
        text.member("committed", isCommitted)
    }
}
