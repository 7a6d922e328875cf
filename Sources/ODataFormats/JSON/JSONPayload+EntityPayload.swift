import ODataModel
import ODataQuery

extension JSONPayload {
    /// Reads the body of a create or update.
    ///
    /// ```json
    /// {"Name":"Tea","Category@odata.bind":"Categories(1)","Items":[{"Quantity":2}],"Supplier":{"@id":"Suppliers(3)"}}
    /// ```
    ///
    /// - Parameters:
    ///   - parser: Turns the ids of bindings into paths; an id that it does not understand stays a URL.
    ///   - serviceRoot: Absolute ids that start with it are of this service.
    /// - Throws: ``FormatError`` naming a property that the type does not have or whose value does not fit it.
    package static func entity(
        _ bytes: [UInt8], type: StructuredType, model: Model, parser: QueryParser, serviceRoot: String?
    ) throws(FormatError) -> EntityPayload {
        try entity(bytes, type: type, model: model) { id in
            (try? parser.entityPath(id: id, serviceRoot: serviceRoot)).map(EntityReference.path) ?? .url(id)
        }
    }

    /// Reads as ``entity(_:type:model:parser:serviceRoot:)``; ids become references as `reference` says.
    package static func entity(
        _ bytes: [UInt8], type: StructuredType, model: Model, reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload {
        let node = try parsed(bytes[...])
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true)
        do {
            return try withoutActuallyEscaping(reference) { (reference) throws(JSONError) in
                try EntityPayloadReader(decoder: decoder, reference: reference).payload(node, type: type)
            }
        } catch {
            throw FormatError(error)
        }
    }
}

/// Reads an object as an entity to be made or changed.
struct EntityPayloadReader {
    let decoder: ValueDecoder
    let reference: (String) -> EntityReference

    func payload(_ node: JSONNode, type: StructuredType) throws(JSONError) -> EntityPayload {
        guard let members = node.members else {
            throw JSONError("An entity is an object, not \(node.kind).", offset: node.offset)
        }
        let type = try self.type(of: node, declared: type)
        var payload = EntityPayload()
        for member in members {
            if let property = type.property(named: member.name) {
                try read(member, property: property, type: type, into: &payload)
            } else if let navigation = type.navigationProperty(named: member.name) {
                try read(member, navigation: navigation, into: &payload)
            } else if let at = member.name.firstIndex(of: "@") {
                try read(member, annotated: String(member.name[..<at]), type: type, into: &payload)
            } else if !type.isOpen {
                throw unknown(member, type: type)
            }
        }
        return payload
    }

    /// The declared type, or the one that `"@odata.type":"#Shop.Tea"` names if that derives from it.
    private func type(of node: JSONNode, declared: StructuredType) throws(JSONError) -> StructuredType {
        guard let annotation = node.control("type"), !annotation.isNull else { return declared }
        let text = annotation.string ?? annotation.kind
        let name = QualifiedName(String(text[(text.lastIndex(of: "#").map(text.index(after:)) ?? text.startIndex)...]))
        if let type = decoder.model.structuredType(named: name), type.isKind(of: declared) { return type }
        throw JSONError("The entity is of type \(declared.name), not \(text).", offset: annotation.offset)
    }

    private func read(
        _ member: JSONNode.Member, property: Property, type: StructuredType, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard payload.properties[property.name] == nil else {
            throw JSONError("The property \(property.name) is given twice.", offset: member.offset)
        }
        guard !property.isStream else {
            throw JSONError("\(property.name) is a stream: PUT its bytes instead.", offset: member.offset)
        }
        payload.properties[property.name] = try decoder.value(member.node, type: property.type, name: property.name)
    }

    /// `"Items":[{…}]` (deep insert), `"Category":{"@odata.id":"Categories(1)"}` (4.01 reference), `"Category":null`
    private func read(
        _ member: JSONNode.Member, navigation: NavigationProperty, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard let target = decoder.model.target(of: navigation) else { return }
        if member.node.isNull, !navigation.isCollection {
            payload.bindings.append(.init(navigation: navigation.name, references: []))
            return
        }
        let nodes = member.node.elements ?? [member.node]
        guard (member.node.elements != nil) == navigation.isCollection else {
            let wanted = navigation.isCollection ? "an array" : "an object"
            throw JSONError("\(navigation.name) takes \(wanted), not \(member.node.kind).", offset: member.node.offset)
        }
        var references: [EntityReference] = []
        var entities: [EntityPayload] = []
        for node in nodes {
            if let id = node.control("id")?.string, node.members?.allSatisfy({ $0.name.hasPrefix("@") }) == true {
                references.append(reference(id))
            } else {
                entities.append(try self.payload(node, type: target))
            }
        }
        if !references.isEmpty { payload.bindings.append(.init(navigation: navigation.name, references: references)) }
        if !entities.isEmpty { payload.nested.append(.init(navigation: navigation.name, entities: entities)) }
    }

    /// `"Category@odata.bind":"Categories(1)"`; other annotations pass.
    private func read(
        _ member: JSONNode.Member, annotated name: String, type: StructuredType, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard member.name.hasSuffix("@odata.bind") || member.name.hasSuffix("@bind") else { return }
        guard let navigation = type.navigationProperty(named: name) else {
            throw JSONError("\(type.name) has no navigation property \(name).", offset: member.offset)
        }
        var references: [EntityReference] = []
        for node in member.node.elements ?? (member.node.isNull ? [] : [member.node]) {
            guard let id = node.string else {
                throw JSONError("\(member.name) takes ids, not \(node.kind).", offset: node.offset)
            }
            references.append(reference(id))
        }
        guard navigation.isCollection || references.count <= 1 else {
            throw JSONError("\(name) leads to one entity only.", offset: member.node.offset)
        }
        payload.bindings.append(.init(navigation: name, references: references))
    }

    private func unknown(_ member: JSONNode.Member, type: StructuredType) -> JSONError {
        let names = type.properties.map(\.name) + type.navigationProperties.map(\.name)
        let hint = nearestName(to: member.name, in: names).map { " Did you mean \($0)?" } ?? ""
        return JSONError("\(type.name) has no property \(member.name).\(hint)", offset: member.offset)
    }
}
