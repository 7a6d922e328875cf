import ODataModel

/// The parameter `attachments` of `applyEdits`.
///
/// ```json
/// {"adds": [{"globalId": "{…}", "parentGlobalId": "{…}", "contentType": "image/jpeg", "name": "Pump.jpg", "data": "…"}],
///  "updates": [{"globalId": "{…}", "contentType": "image/jpeg", "name": "Pump.jpg", "uploadId": "{…}"}],
///  "deletes": ["{…}"]}
/// ```
struct AttachmentEdits: Sendable {
    struct Edit: Sendable {
        var globalID: GlobalID?
        var parent: GlobalID?
        var contentType: String?
        var name: String?
        var uploadID: String?
        /// In Base64.
        var data: String?

        init(_ node: JSONNode) throws(RestError) {
            guard node.members != nil else { throw .invalid("'attachments' has an edit that is not an object.") }
            globalID = GlobalID(node["globalId"]?.string)
            parent = GlobalID(node["parentGlobalId"]?.string)
            contentType = node["contentType"]?.string
            name = node["name"]?.string
            uploadID = node["uploadId"]?.string
            data = node["data"]?.string
        }
    }

    var adds: [Edit] = []
    var updates: [Edit] = []
    /// Nil for what is not a global id.
    var deletes: [GlobalID?] = []

    init(_ text: String) throws(RestError) {
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]), node.members != nil else {
            throw .invalid("'attachments' is not a JSON object.")
        }
        for edit in node["adds"]?.elements ?? [] { adds.append(try Edit(edit)) }
        for edit in node["updates"]?.elements ?? [] { updates.append(try Edit(edit)) }
        deletes = (node["deletes"]?.elements ?? []).map { GlobalID($0.string) }
    }
}
