import ODataModel
import ODataQuery

/// Reads an object as an entity to be made or changed.
///
/// A stream property has no value in it: one is refused, but for null where an entity is made. Control information
/// about the stream (`Photo@odata.mediaContentType`) is ignored, as all control information but for links and
/// types. [OData-JSON, sections 8 and 14; OData-Protocol, sections 11.4.2 and 11.4.3]
struct EntityPayloadReader {
    let decoder: ValueDecoder
    let isUpdate: Bool
    let reference: (String) -> EntityReference

    func payload(_ node: JSONNode, type declared: EdmStructuredType) throws(JSONError) -> EntityPayload {
        guard let members = node.members else {
            throw JSONError("An entity is an object, not \(node.kind).", offset: node.offset)
        }
        let type = try self.type(of: node, declared: declared)
        var payload = EntityPayload()
        if type.name != declared.name { payload.type = type.name }
        for member in members {
            if let property = type.property(named: member.name) {
                try read(member, property: property, into: &payload)
            } else if let navigation = type.navigationProperty(named: member.name) {
                try read(member, navigation: navigation, into: &payload)
            } else if let at = member.name.firstIndex(of: "@") {
                try read(member, annotated: String(member.name[..<at]), type: type, into: &payload)
            } else if type.isOpen {
                payload.properties[member.name] = try decoder.dynamicValue(of: member, in: node, name: member.name)
            } else {
                throw unknown(member, type: type)
            }
        }
        return payload
    }

    /// The declared type, or the one that `"@odata.type":"#Shop.Tea"` names if that derives from it.
    private func type(of node: JSONNode, declared: EdmStructuredType) throws(JSONError) -> EdmStructuredType {
        guard let annotation = node.control("type"), !annotation.isNull else { return declared }
        let text = annotation.string ?? annotation.kind
        if case .entity(let name) = EdmTypeReference(annotation: text, model: decoder.model),
            let type = decoder.model.structuredType(named: name), type.isKind(of: declared)
        {
            return type
        }
        throw JSONError("The entity is of type \(declared.name), not \(text).", offset: annotation.offset)
    }

    private func read(
        _ member: JSONNode.Member, property: EdmProperty, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard !property.isStream else {
            // An entity that is made has no stream anyway.
            guard isUpdate || !member.node.isNull else { return }
            throw JSONError("\(property.name) is a stream: PUT its bytes instead.", offset: member.offset)
        }
        payload.properties[property.name] = try decoder.value(member.node, type: property.type, name: property.name)
    }

    /// `"Category@odata.bind":"Categories(1)"`, `"Items@delta":[…]`; other annotations pass.
    private func read(
        _ member: JSONNode.Member, annotated name: String, type: EdmStructuredType, into payload: inout EntityPayload
    ) throws(JSONError) {
        var term = member.name.dropFirst(name.count + 1)
        if term.hasPrefix("odata.") { term = term.dropFirst("odata.".count) }
        guard !name.isEmpty, term == "bind" || term == "delta" else { return }
        guard let navigation = type.navigationProperty(named: name) else {
            throw JSONError("\(type.name) has no navigation property \(name).", offset: member.offset)
        }
        if term == "bind" {
            payload.bindings.append(try binding(member, navigation: navigation))
        } else {
            guard navigation.isCollection, let target = decoder.model.target(of: navigation) else {
                throw JSONError("\(name) is not a collection: it has no delta.", offset: member.offset)
            }
            let set = decoder.model.targetSet(of: navigation, from: nil)
            payload.nested.append(try nested(member.node, name: name, type: target, set: set, isDelta: true))
        }
    }

    private func binding(
        _ member: JSONNode.Member, navigation: EdmNavigationProperty
    ) throws(JSONError) -> EntityPayload.Binding {
        var references: [EntityReference] = []
        for node in member.node.elements ?? (member.node.isNull ? [] : [member.node]) {
            guard let id = node.string else {
                throw JSONError("\(member.name) takes ids, not \(node.kind).", offset: node.offset)
            }
            references.append(reference(id))
        }
        guard navigation.isCollection || references.count <= 1 else {
            throw JSONError("\(navigation.name) leads to one entity only.", offset: member.node.offset)
        }
        return .init(navigation: navigation.name, references: references)
    }

    private func unknown(_ member: JSONNode.Member, type: EdmStructuredType) -> JSONError {
        let names = type.properties.map(\.name) + type.navigationProperties.map(\.name)
        let hint = nearestName(to: member.name, in: names).map { ": did you mean \($0)" } ?? ""
        return decoder.problem(
            member.name, ValueProblem.isNotDeclared(by: type.name) + hint, offset: member.offset)
    }
}
