import ODataModel
import ODataQuery

extension JSONPayload {
    /// Writes the body of a create or update; bindings as `Category@odata.bind`.
    ///
    /// - Parameter url: The text for a reference; the default writes paths relative to the service root.
    package static func bytes(
        _ payload: EntityPayload, type: StructuredType, model: Model, ieee754Compatible: Bool = false,
        url: (EntityReference) -> String = \.url
    ) -> [UInt8] {
        var text = JSONText()
        write(payload, type: type, model: model, ieee754Compatible: ieee754Compatible, url: url, to: &text)
        return text.bytes
    }

    private static func write(
        _ payload: EntityPayload, type: StructuredType?, model: Model, ieee754Compatible: Bool,
        url: (EntityReference) -> String, to text: inout JSONText
    ) {
        text.object { text in
            for member in payload.properties.members {
                var bytes: [UInt8] = []
                let declared = type?.property(named: member.name)?.type ?? .string
                member.value.appendJSON(
                    to: &bytes, type: declared, model: model, ieee754Compatible: ieee754Compatible)
                text.name(member.name)
                text.raw(bytes)
            }
            for binding in payload.bindings {
                write(binding, navigation: type?.navigationProperty(named: binding.navigation), url: url, to: &text)
            }
            for nested in payload.nested {
                let navigation = type?.navigationProperty(named: nested.navigation)
                let target = navigation.flatMap { model.target(of: $0) }
                list(nested.entities, isCollection: navigation?.isCollection ?? true, name: nested.navigation, &text) {
                    write($0, type: target, model: model, ieee754Compatible: ieee754Compatible, url: url, to: &$1)
                }
            }
        }
    }

    private static func write(
        _ binding: EntityPayload.Binding, navigation: NavigationProperty?, url: (EntityReference) -> String,
        to text: inout JSONText
    ) {
        let isCollection = navigation?.isCollection ?? (binding.references.count != 1)
        guard isCollection || !binding.references.isEmpty else {
            // Only 4.01 can take a relation away in an update; `null` for a bind is what 4.0 services understand too.
            text.name(binding.navigation + "@odata.bind")
            text.null()
            return
        }
        list(binding.references, isCollection: isCollection, name: binding.navigation + "@odata.bind", &text) {
            $1.string(url($0))
        }
    }

    private static func list<Element>(
        _ elements: [Element], isCollection: Bool, name: String, _ text: inout JSONText,
        element: (Element, inout JSONText) -> Void
    ) {
        guard isCollection || !elements.isEmpty else { return }
        text.name(name)
        guard isCollection else { return element(elements[0], &text) }
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
