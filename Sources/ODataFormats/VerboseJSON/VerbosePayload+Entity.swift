import ODataMetadata
import ODataModel
import ODataQuery

extension VerbosePayload {
    /// Reads an object as the body of a create or update, in `d` or not. Deferred links are bindings.
    ///
    /// - Parameter reference: Turns the address of a link into a reference.
    /// - Throws: ``FormatError`` naming a property that the type does not have or whose value does not fit it.
    package static func entity(
        _ bytes: [UInt8], type: EdmStructuredType, model: EdmModel, limits: PayloadLimits = .default,
        reference: (String) -> EntityReference = { .url($0) }
    ) throws(FormatError) -> EntityPayload {
        let root = try parsed(bytes[...], limits: limits)
        let isWrapped = root.members?.count == 1 && root["d"]?.members != nil && type.property(named: "d") == nil
        let node = isWrapped ? root["d"] ?? root : root
        do {
            return try withoutActuallyEscaping(reference) { (reference) throws(JSONError) in
                let decoder = VerboseValueDecoder(model: model, isStrict: true)
                return try VerboseEntityPayloadReader(decoder: decoder, source: bytes[...], reference: reference)
                    .payload(node, type: type)
            }
        } catch {
            throw FormatError(error)
        }
    }

    /// Writes an object as the body of a create or update: bindings as `__metadata` with a URI, nested entities
    /// inline.
    ///
    /// - Parameter url: The text for a reference.
    package static func bytes(
        _ payload: EntityPayload, type: EdmStructuredType, model: EdmModel, options: LegacyWriterOptions,
        url: (EntityReference) -> String = \.url
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        withoutActuallyEscaping(url) { url in
            VerboseEntityPayloadWriter(model: model, version: options.version, url: url)
                .write(payload, type: type, to: &bytes)
        }
        return bytes
    }
}

/// Reads objects as entities to be made or changed.
private struct VerboseEntityPayloadReader {
    let decoder: VerboseValueDecoder
    let source: ArraySlice<UInt8>
    let reference: (String) -> EntityReference

    func payload(_ node: JSONNode, type declared: EdmStructuredType) throws(JSONError) -> EntityPayload {
        guard let members = node.members else {
            throw JSONError("An entity is an object, not \(node.kind).", offset: node.offset)
        }
        let type = try self.type(of: node, declared: declared)
        var payload = EntityPayload()
        if type.name != declared.name { payload.type = type.name }
        payload.etag = node["__metadata"]?["etag"]?.string
        for member in members where member.name != "__metadata" {
            if let property = type.property(named: member.name) {
                if property.isStream { continue }
                payload.properties[member.name] = try decoder.value(
                    member.node, type: property.type, name: member.name, source: source)
            } else if let navigation = type.navigationProperty(named: member.name) {
                try read(member, navigation: navigation, into: &payload)
            } else if type.isOpen {
                payload.properties[member.name] = decoder.untyped(member.node)
            } else {
                throw JSONError(
                    ValueProblem(member.name, ValueProblem.isNotDeclared(by: type.name)).message, offset: member.offset)
            }
        }
        return payload
    }

    private func type(of node: JSONNode, declared: EdmStructuredType) throws(JSONError) -> EdmStructuredType {
        guard let told = node["__metadata"]?["type"], let text = told.string else { return declared }
        if let type = decoder.model.structuredType(named: EdmQualifiedName(text)), type.isKind(of: declared) {
            return type
        }
        throw JSONError("The entity is of type \(declared.name), not \(text).", offset: told.offset)
    }

    private func read(
        _ member: JSONNode.Member, navigation: EdmNavigationProperty, into payload: inout EntityPayload
    ) throws(JSONError) {
        guard let target = decoder.model.target(of: navigation) else { return }
        if member.node.isNull {
            if !navigation.isCollection { payload.bindings.append(.init(navigation: member.name, references: [])) }
            return
        }
        var references: [EntityReference] = []
        var entities: [EntityPayload] = []
        for node in member.node["results"]?.elements ?? member.node.elements ?? [member.node] {
            if let link = link(node, isCollection: navigation.isCollection) {
                references.append(reference(link))
            } else if node["__deferred"] == nil {
                entities.append(try self.payload(node, type: target))
            }
        }
        if !references.isEmpty { payload.bindings.append(.init(navigation: member.name, references: references)) }
        if !entities.isEmpty { payload.nested.append(.init(navigation: member.name, entities: entities)) }
    }

    /// `{"__metadata":{"uri":"…"}}`, or for one entity `{"__deferred":{"uri":"…"}}`. A deferred collection says nothing.
    private func link(_ node: JSONNode, isCollection: Bool) -> String? {
        guard node.members?.count == 1 else { return nil }
        if let uri = node["__metadata"]?["uri"]?.string { return uri }
        return isCollection ? nil : node["__deferred"]?["uri"]?.string
    }
}

/// Writes entities to be made or changed as objects.
private struct VerboseEntityPayloadWriter {
    let model: EdmModel
    let version: ODataVersion
    let url: (EntityReference) -> String

    func write(_ payload: EntityPayload, type declared: EdmStructuredType?, to bytes: inout [UInt8]) {
        let type = payload.type.flatMap { model.structuredType(named: $0) } ?? declared
        var separator = "{"
        func name(_ name: String) {
            bytes.append(contentsOf: separator.utf8)
            separator = ","
            JSONText.append(quoted: name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
        if let type {
            name("__metadata")
            var text = JSONText()
            text.object { $0.member("type", "\(type.name)") }
            bytes += text.bytes
        }
        for member in payload.properties.members {
            name(member.name)
            let property = type?.property(named: member.name)
            let typeName = LegacyTypeName.name(of: property?.type ?? .string, annotations: property?.annotations ?? [])
            VerboseValue.append(
                member.value, type: property?.type, typeName: typeName, model: model, version: version, to: &bytes)
        }
        let nested = Set(payload.nested.map(\.navigation))
        for binding in payload.bindings where !nested.contains(binding.navigation) {
            name(binding.navigation)
            let isCollection = type?.navigationProperty(named: binding.navigation)?.isCollection ?? false
            write(binding, isCollection: isCollection, to: &bytes)
        }
        for nested in payload.nested {
            name(nested.navigation)
            let links = payload.bindings.filter { $0.navigation == nested.navigation }.flatMap(\.references)
            write(nested, beside: links, type: type, to: &bytes)
        }
        bytes.append(contentsOf: (separator == "{" ? "{}" : "}").utf8)
    }

    /// `{"__metadata":{"uri":"http://h/Categories(1)"}}`
    private func write(_ binding: EntityPayload.Binding, isCollection: Bool, to bytes: inout [UInt8]) {
        var text = JSONText()
        if isCollection {
            text.array { text in
                for reference in binding.references { link(reference, &text) }
            }
        } else if let reference = binding.references.first {
            link(reference, &text)
        } else {
            text.null()
        }
        bytes += text.bytes
    }

    private func link(_ reference: EntityReference, _ text: inout JSONText) {
        text.object { text in
            text.name("__metadata")
            text.object { $0.member("uri", url(reference)) }
        }
    }

    /// A member has the new entities and the links to others.
    private func write(
        _ nested: EntityPayload.Nested, beside links: [EntityReference], type: EdmStructuredType?,
        to bytes: inout [UInt8]
    ) {
        let navigation = type?.navigationProperty(named: nested.navigation)
        let target = navigation.flatMap { model.target(of: $0) }
        let isCollection = navigation?.isCollection ?? true
        if isCollection { bytes.append(UInt8(ascii: "[")) }
        for (position, entity) in nested.entities.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            write(entity, type: target, to: &bytes)
        }
        for reference in isCollection ? links : [] {
            if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
            var text = JSONText()
            link(reference, &text)
            bytes += text.bytes
        }
        if isCollection { bytes.append(UInt8(ascii: "]")) }
    }
}
