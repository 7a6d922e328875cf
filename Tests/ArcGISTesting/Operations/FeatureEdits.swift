import ODataModel

/// The parameters `adds`, `updates` and `deletes` of `applyEdits`.
struct FeatureEdits: Sendable {
    /// `{"attributes": {"OBJECTID": 1, "GlobalID": "{…}", "Title": "pump"}}`
    struct Edit: Sendable {
        var id: Int64?
        var globalID: GlobalID?
        var attributes: [(name: String, json: [UInt8])] = []
    }

    enum Key: Sendable {
        case id(Int64)
        case globalID(GlobalID)
        case unreadable
    }

    var adds: [Edit]
    var updates: [Edit]
    var deletes: [Key]

    init(_ call: RestCall, _ layer: LayerState) throws(RestError) {
        adds = try Self.edits("adds", call, layer)
        updates = try Self.edits("updates", call, layer)
        guard let text = call["deletes"], text.hasPrefix("[") else {
            deletes = try call.integers("deletes")?.map { Key.id($0) } ?? []
            return
        }
        deletes = try Self.elements("deletes", text).map { node -> Key in
            if let id = node.integer { return .id(id) }
            return GlobalID(node.string).map { Key.globalID($0) } ?? .unreadable
        }
    }

    private static func edits(
        _ name: String, _ call: RestCall, _ layer: LayerState
    ) throws(RestError) -> [Edit] {
        guard let text = call[name] else { return [] }
        let bytes = Array(text.utf8)
        var edits: [Edit] = []
        for node in try elements(name, text) {
            guard let attributes = node["attributes"]?.members else {
                throw .invalid("'\(name)' has a feature without attributes.")
            }
            var edit = Edit()
            for member in attributes {
                switch member.name {
                case layer.objectIDField: edit.id = member.node.integer
                case layer.globalIDField: edit.globalID = GlobalID(member.node.string)
                default: edit.attributes.append((member.name, Array(bytes[member.node.range])))
                }
            }
            edits.append(edit)
        }
        return edits
    }

    private static func elements(_ name: String, _ text: String) throws(RestError) -> [JSONNode] {
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]), let elements = node.elements else {
            throw .invalid("'\(name)' is not a JSON array.")
        }
        return elements
    }
}
