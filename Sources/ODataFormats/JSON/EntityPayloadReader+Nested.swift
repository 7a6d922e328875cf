import ODataModel
import ODataQuery

extension EntityPayloadReader {
    /// `"Items":[{…}]` (deep insert and update), `"Category":{"@odata.id":"Categories(1)"}` (4.01 reference),
    /// `"Category":null`
    func read(
        _ member: JSONNode.Member, navigation: EdmNavigationProperty, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard let target = decoder.model.target(of: navigation) else { return }
        let node = member.node
        if node.isNull, !navigation.isCollection {
            payload.bindings.append(.init(navigation: navigation.name, references: []))
            return
        }
        guard (node.elements != nil) == navigation.isCollection else {
            let wanted = navigation.isCollection ? "an array" : "an object"
            throw JSONError("\(navigation.name) takes \(wanted), not \(node.kind).", offset: node.offset)
        }
        if isUpdate, navigation.isCollection {
            let set = decoder.model.targetSet(of: navigation, from: nil)
            payload.nested.append(try nested(node, name: navigation.name, type: target, set: set, isDelta: false))
            return
        }
        var references: [EntityReference] = []
        var entities: [EntityPayload] = []
        for node in node.elements ?? [node] {
            if let id = referenceID(node) {
                references.append(reference(id))
            } else {
                entities.append(try nestedPayload(node, type: target))
            }
        }
        if !references.isEmpty { payload.bindings.append(.init(navigation: navigation.name, references: references)) }
        if !entities.isEmpty { payload.nested.append(.init(navigation: navigation.name, entities: entities)) }
    }

    /// The id of an object that has nothing else: `{"@odata.id":"Categories(1)"}`.
    private func referenceID(_ node: JSONNode) -> String? {
        guard let id = node.control("id")?.string, node.members?.allSatisfy({ $0.name.hasPrefix("@") }) == true else {
            return nil
        }
        return id
    }

    /// An entity inside another: its id and ETag count.
    private func nestedPayload(_ node: JSONNode, type: EdmStructuredType) throws(JSONError) -> EntityPayload {
        var payload = try payload(node, type: type)
        payload.id = node.control("id")?.string.map(reference)
        payload.etag = node.control("etag")?.string
        return payload
    }

    /// The members of an array, in a delta with removals among them.
    ///
    /// - Parameter set: The set of the entities, in which a removed entity without an id is named by its key.
    func nested(
        _ node: JSONNode, name: String, type: EdmStructuredType, set: EdmEntitySet?, isDelta: Bool
    ) throws(JSONError) -> EntityPayload.Nested {
        guard let elements = node.elements else {
            throw JSONError("\(name.isEmpty ? "value" : name) takes an array, not \(node.kind).", offset: node.offset)
        }
        var nested = EntityPayload.Nested(navigation: name, entities: [], isDelta: isDelta)
        for element in elements {
            if let removed = element.control("removed") {
                guard isDelta else {
                    throw JSONError("Only a delta reports what is removed.", offset: removed.offset)
                }
                nested.removed.append(try removal(element, removed, type: type, set: set))
            } else if let reason = deletedEntity(element) {
                let id = element["id"]?.string ?? element.control("id")?.string ?? ""
                nested.removed.append(.init(reference(id), isDeleted: reason != "changed"))
            } else {
                nested.entities.append(try nestedPayload(element, type: type))
            }
        }
        return nested
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Items(3)"}`, or with the key instead of the id.
    private func removal(
        _ node: JSONNode, _ removed: JSONNode, type: EdmStructuredType, set: EdmEntitySet?
    ) throws(JSONError) -> EntityPayload.Removal {
        let isDeleted = removed["reason"]?.string != "changed"
        if let id = node.control("id")?.string { return .init(reference(id), isDeleted: isDeleted) }
        var values = EdmComplexValue()
        for property in type.keyHolders {
            guard let member = node[property.name] else { break }
            values[property.name] = try decoder.value(member, type: property.type, name: property.name)
        }
        guard let key = EntityKey(of: type, in: values), let set else {
            throw JSONError("What is removed is named by its id or its key.", offset: node.offset)
        }
        return .init(.path(ResourcePath(set, key: key)), isDeleted: isDeleted)
    }

    /// The reason of an object of version 4.0: `{"@odata.context":"#Items/$deletedEntity","id":"…","reason":"…"}`.
    private func deletedEntity(_ node: JSONNode) -> String? {
        guard node.control("context")?.string?.hasSuffix("/$deletedEntity") == true else { return nil }
        return node["reason"]?.string ?? "deleted"
    }
}
