import ODataModel

/// What the names in a metadata document stand for.
struct CSDLNames {
    enum Kind {
        case entity
        case complex
        case enumeration
        /// With the element of the type definition, for its facets.
        case definition(XMLTree)
    }

    private var namespaces: [String: String] = [:]
    private var kinds: [QualifiedName: Kind] = [:]
    private(set) var containers: Set<QualifiedName> = []

    init(root: XMLTree, schemas: [XMLTree]) {
        for include in root.children(named: "Reference").flatMap({ $0.children(named: "Include") }) {
            if let alias = include["Alias"], let namespace = include["Namespace"] { namespaces[alias] = namespace }
        }
        for schema in schemas {
            let namespace = schema["Namespace"] ?? ""
            if let alias = schema["Alias"] { namespaces[alias] = namespace }
            for child in schema.children {
                let name = QualifiedName(namespace: namespace, name: child["Name"] ?? "")
                switch child.name {
                case "EntityType": kinds[name] = .entity
                case "ComplexType": kinds[name] = .complex
                case "EnumType": kinds[name] = .enumeration
                case "TypeDefinition": kinds[name] = .definition(child)
                case "EntityContainer": containers.insert(name)
                default: break
                }
            }
        }
    }

    /// The name with its alias replaced: `self.Product` → `Northwind.Product`.
    func qualified(_ text: String) -> QualifiedName {
        let name = QualifiedName(text)
        return QualifiedName(namespace: namespaces[name.namespace] ?? name.namespace, name: name.name)
    }

    /// The path with aliases replaced in the segments that are qualified names.
    func path(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.contains(".") ? qualified(String($0)).description : String($0) }
            .joined(separator: "/")
    }

    func kind(of name: QualifiedName) -> Kind? { kinds[name] }

    /// The type that `text` names, and the definition it was named through; nil if it is not declared.
    func type(_ text: String) -> (type: TypeReference, definition: XMLTree?)? {
        if text.hasPrefix("Collection("), text.hasSuffix(")") {
            guard let element = type(String(text.dropFirst("Collection(".count).dropLast())),
                !element.type.isCollection
            else { return nil }
            return (.collection(element.type), element.definition)
        }
        let name = qualified(text)
        if name.namespace == "Edm" { return PrimitiveType(rawValue: name.name).map { (.primitive($0), nil) } }
        switch kinds[name] {
        case .entity: return (.entity(name), nil)
        case .complex: return (.complex(name), nil)
        case .enumeration: return (.enumeration(name), nil)
        case .definition(let definition):
            let underlying = QualifiedName(definition["UnderlyingType"] ?? "Edm.String")
            guard underlying.namespace == "Edm", let primitive = PrimitiveType(rawValue: underlying.name) else {
                return nil
            }
            return (.primitive(primitive), definition)
        case nil: return nil
        }
    }
}
