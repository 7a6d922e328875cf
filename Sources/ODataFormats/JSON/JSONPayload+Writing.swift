import ODataModel
import ODataQuery

extension JSONPayload {
    /// Writes the body of a create or update; bindings as `Category@odata.bind`, or as 4.01 has them,
    /// `"Category":{"@id":"Categories(1)"}`, where the style is of short names.
    ///
    /// - Parameter url: The text for a reference; the default writes paths relative to the service root.
    package static func bytes(
        _ payload: EntityPayload, type: EdmStructuredType, model: EdmModel, style: JSONStyle = JSONStyle(),
        url: (EntityReference) -> String = \.url
    ) -> [UInt8] {
        var text = JSONText()
        withoutActuallyEscaping(url) { url in
            EntityPayloadWriter(model: model, style: style, url: url).write(payload, type: type, to: &text)
        }
        return text.bytes
    }
}

/// Writes an entity to be made or changed.
private struct EntityPayloadWriter {
    let model: EdmModel
    let style: JSONStyle
    let url: (EntityReference) -> String

    func write(_ payload: EntityPayload, type declared: EdmStructuredType?, to text: inout JSONText) {
        let type = payload.type.flatMap { model.structuredType(named: $0) } ?? declared
        text.object { text in
            text.member(style.control("type"), payload.type.map { "#\($0)" })
            text.member(style.control("id"), payload.id.map(url))
            text.member(style.control("etag"), payload.etag)
            write(payload.properties, type: type, to: &text)
            for binding in payload.bindings {
                write(binding, navigation: type?.navigationProperty(named: binding.navigation), to: &text)
            }
            for nested in payload.nested {
                write(nested, navigation: type?.navigationProperty(named: nested.navigation), to: &text)
            }
        }
    }

    private func write(_ properties: EdmComplexValue, type: EdmStructuredType?, to text: inout JSONText) {
        let writer = JSONValueWriter(style: style, model: model)
        var bytes: [UInt8] = []
        for member in properties.members {
            let property = type?.property(named: member.name)
            writer.append(member, property: property, knowsType: type != nil, to: &bytes)
        }
        if !bytes.isEmpty { text.raw(bytes.dropLast()) }
    }

    private func write(
        _ binding: EntityPayload.Binding, navigation: EdmNavigationProperty?, to text: inout JSONText
    ) {
        let isCollection = navigation?.isCollection ?? (binding.references.count != 1)
        if style.isShort, !isCollection {
            text.name(binding.navigation)
            guard let target = binding.references.first else { return text.null() }
            return text.object { $0.member("@id", url(target)) }
        }
        guard isCollection || !binding.references.isEmpty else {
            // Outside updates of an entity itself: those remove the link by a request of its own.
            text.name(binding.navigation + "@odata.bind")
            text.null()
            return
        }
        let name = binding.navigation + (style.isShort ? "@bind" : "@odata.bind")
        list(binding.references, isCollection: isCollection, name: name, &text) { $1.string(url($0)) }
    }

    private func write(_ nested: EntityPayload.Nested, navigation: EdmNavigationProperty?, to text: inout JSONText) {
        let target = navigation.flatMap { model.target(of: $0) }
        let isCollection = navigation?.isCollection ?? true
        guard nested.isDelta, isCollection else {
            return list(nested.entities, isCollection: isCollection, name: nested.navigation, &text) {
                write($0, type: target, to: &$1)
            }
        }
        text.name(nested.navigation + style.control("delta"))
        text.array { text in
            for entity in nested.entities { write(entity, type: target, to: &text) }
            for removal in nested.removed {
                text.object { text in
                    text.name("@removed")
                    text.object { $0.member("reason", removal.isDeleted ? "deleted" : "changed") }
                    text.member(style.control("id"), url(removal.reference))
                }
            }
        }
    }

    private func list<Element>(
        _ elements: [Element], isCollection: Bool, name: String, _ text: inout JSONText,
        element: (Element, inout JSONText) -> Void
    ) {
        guard isCollection else {
            guard let first = elements.first else { return }
            text.name(name)
            return element(first, &text)
        }
        text.name(name)
        text.array { text in
            for item in elements { element(item, &text) }
        }
    }
}

extension EntityReference {
    /// The text of a path relative to the service root, or the URL as given.
    package var url: String {
        switch self {
        case .path(let path): path.url
        case .url(let url): url
        }
    }
}
