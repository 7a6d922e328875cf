import ODataModel

/// What the names in a metadata document stand for.
struct CSDLNames {
    enum Kind {
        case entity
        case complex
        case enumeration
        case definition(EdmTypeDefinition)
    }

    /// A type as a document names it.
    struct NamedType {
        var type: EdmTypeReference
        /// See ``EdmProperty/namedType``.
        var name: EdmQualifiedName?
        /// Those of the type definition.
        var facets = EdmFacets()
        /// `Edm.DateTime` and the like, which V4 does not have.
        var legacy: String?
        var isKnown = true
        /// Whether the document has a collection of collections there, in place of which ``type`` is a collection.
        var isNested = false
    }

    /// A type definition as a document declares it.
    struct DeclaredDefinition {
        var name: EdmQualifiedName
        /// A primitive type as the standard has it.
        var underlyingType: String
        /// Without those of the underlying type.
        var facets: EdmFacets
    }

    private var namespaces: [String: String] = [:]
    private var kinds: [EdmQualifiedName: Kind] = [:]
    /// What texts were found to name, once all declarations are known.
    private var known: [String: NamedType] = [:]
    /// What paths became: the same terms come again and again.
    private var paths: [String: String] = [:]
    private var openDefinitions: [DeclaredDefinition] = []
    private(set) var containers: Set<EdmQualifiedName> = []
    /// The namespaces of documents that this one refers to.
    private(set) var included: Set<String> = []

    mutating func add(alias: String?, for namespace: String) {
        if let alias, !alias.isEmpty { namespaces[alias] = namespace }
    }

    mutating func include(_ namespace: String, alias: String?) {
        included.insert(namespace)
        add(alias: alias, for: namespace)
    }

    mutating func add(_ kind: Kind, named name: EdmQualifiedName) {
        if kinds[name] == nil { kinds[name] = kind }
        known = [:]
    }

    /// Adds a type definition, whose underlying type is known after ``settleDefinitions()``.
    mutating func add(_ definition: DeclaredDefinition) {
        guard kinds[definition.name] == nil else { return }
        add(.definition(EdmTypeDefinition(name: definition.name, underlyingType: .untyped)), named: definition.name)
        openDefinitions.append(definition)
    }

    /// Gives the type definitions their underlying types, once all names are known. One may stand for another: it is not
    /// allowed to, but what is meant is clear.
    mutating func settleDefinitions() {
        for _ in 0..<Self.maximumDefinitionDepth where !openDefinitions.isEmpty {
            let definitions = openDefinitions.map { definition($0) }
            for definition in definitions { kinds[definition.name] = .definition(definition) }
            openDefinitions = zip(openDefinitions, definitions).filter { $1.underlyingType == .untyped }.map(\.0)
        }
        known = [:]
    }

    /// Definitions of definitions are not part of the standard: so many, one behind the other, are understood.
    private static let maximumDefinitionDepth = 8

    /// The definition with the facets of the one that it stands for; untyped where that is not a primitive type.
    func definition(_ declared: DeclaredDefinition) -> EdmTypeDefinition {
        let named = resolved(declared.underlyingType)
        return EdmTypeDefinition(
            name: declared.name, underlyingType: named.type.primitive ?? .untyped,
            facets: declared.facets.completed(by: named.facets))
    }

    /// What is wrong with the underlying type of a definition, as a sentence.
    func problem(of definition: DeclaredDefinition) -> String? {
        let named = resolved(definition.underlyingType)
        guard named.type.primitive == nil || named.name != nil || named.legacy != nil else { return nil }
        let meant = named.type.primitive ?? .untyped
        return
            "\(definition.name) is a definition of \(definition.underlyingType), which is not a primitive type: it is "
            + "read as one of Edm.\(meant.rawValue)."
    }

    mutating func add(container: EdmQualifiedName) { containers.insert(container) }

    func kind(of name: EdmQualifiedName) -> Kind? { kinds[name] }

    /// The name with its alias replaced: `self.Product` → `Northwind.Product`.
    func qualified(_ text: String) -> EdmQualifiedName {
        let name = EdmQualifiedName(text)
        guard let namespace = namespaces[name.namespace] else { return name }
        return EdmQualifiedName(namespace: namespace, name: name.name)
    }

    /// The path with aliases replaced in what are qualified names: `Items@Core.Description#Q/Name`.
    mutating func path(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")), !namespaces.isEmpty else { return text }
        if let known = paths[text] { return known }
        let path =
            text.utf8.contains(UInt8(ascii: "/"))
            ? text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { segment(Substring($0)) }.joined(separator: "/")
            : segment(text[...])
        if paths.count < 10_000 { paths[text] = path }
        return path
    }

    /// `@Core.Description#Q`, `Items@Core.Description`, `self.Manager`, `self.Function(Edm.Int32,self.Size)`.
    private func segment(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return String(text) }
        if let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) {
            return text[...at] + segment(text[text.utf8.index(after: at)...])
        }
        if let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), text.utf8.last == UInt8(ascii: ")") {
            let inner = text[text.utf8.index(after: open)...].dropLast()
            let types = inner.split(separator: ",", omittingEmptySubsequences: false)
            return segment(text[..<open]) + "(" + types.map { typeName(String($0)) }.joined(separator: ",") + ")"
        }
        guard let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) else {
            return qualified(String(text)).description
        }
        return qualified(String(text[..<hash])).description + text[hash...]
    }

    /// The name of a type with its alias replaced: `Collection(self.Color)` → `Collection(Model.Color)`.
    func typeName(_ text: String) -> String {
        let text = text.filter { !$0.isWhitespace }
        guard let element = Self.innermost(of: text) else { return qualified(text).description }
        return "Collection(\(qualified(element)))"
    }

    /// What a diagnostic says of a type such as `Collection(Collection(Edm.String))`.
    static let nestedCollection = "a type that is a collection of collections, which is read as a collection"

    /// Whether `text` names a collection of collections, which OData does not have.
    static func isNested(_ text: String) -> Bool {
        element(of: text.trimmed).map { element(of: $0.trimmed) != nil } ?? false
    }

    /// The name inside all that says that it is a collection; nil for a type that is not a collection.
    private static func innermost(of text: String) -> String? {
        guard var element = element(of: text) else { return nil }
        for _ in 0..<maximumNesting {
            guard let inner = self.element(of: element.trimmed) else { break }
            element = inner
        }
        return element
    }

    /// Beyond so many collections of collections the rest is not understood.
    private static let maximumNesting = 16

    /// `Edm.String` of `Collection(Edm.String)`; drafts of V3 said `Bag` and `MultiValue`.
    static func element(of text: String) -> String? {
        guard text.utf8.last == UInt8(ascii: ")"), let open = text.utf8.firstIndex(of: UInt8(ascii: "(")) else {
            return nil
        }
        guard ["Collection", "Bag", "MultiValue", "List"].contains(text[..<open]) else { return nil }
        return String(text[text.utf8.index(after: open)...].dropLast())
    }

    /// The type that `text` names. For what is not declared, that is an untyped one of that name.
    mutating func type(_ text: String) -> NamedType {
        if let known = known[text] { return known }
        let type = resolved(text)
        known[text] = type
        return type
    }

    private func resolved(_ text: String) -> NamedType {
        let text = text.trimmed
        if let element = Self.innermost(of: text) {
            var named = named(element.trimmed)
            named.type = .collection(named.type)
            named.isNested = Self.isNested(text)
            return named
        }
        return named(text)
    }

    private func named(_ text: String) -> NamedType {
        let name = qualified(text)
        if name.namespace == "Edm" || name.namespace.isEmpty || name.namespace == "EDM" {
            if let primitive = primitive(name) { return primitive }
        }
        switch kinds[name] {
        case .entity: return NamedType(type: .entity(name))
        case .complex: return NamedType(type: .complex(name))
        case .enumeration: return NamedType(type: .enumeration(name))
        case .definition(let definition):
            return NamedType(type: .primitive(definition.underlyingType), name: name, facets: definition.facets)
        case nil: return NamedType(type: .primitive(.untyped), name: name, isKnown: false)
        }
    }

    private func primitive(_ name: EdmQualifiedName) -> NamedType? {
        if let primitive = EdmPrimitiveType(rawValue: name.name) { return NamedType(type: .primitive(primitive)) }
        switch name.name {
        case "DateTime": return NamedType(type: .primitive(.dateTimeOffset), legacy: "Edm.DateTime")
        case "Time": return NamedType(type: .primitive(.timeOfDay), legacy: "Edm.Time")
        case "Float": return NamedType(type: .double)
        case _ where Self.abstractTypes.contains(name.name):
            return NamedType(
                type: .primitive(.untyped), name: EdmQualifiedName(namespace: "Edm", name: name.name))
        default: return nil
        }
    }

    /// Types of the standard that vocabularies and generic operations use.
    private static let abstractTypes: Set<String> = [
        "AnnotationPath", "AnyPropertyPath", "ComplexType", "EntityType", "ModelElementPath",
        "NavigationPropertyPath", "PropertyPath",
    ]

    /// `Products` of `Products`, `Container/Products` and `NS.Container/Products`; other paths stay, with full names.
    mutating func target(_ text: String) -> String {
        let segments = text.split(separator: "/").map(String.init)
        guard let first = segments.first, segments.count == 2 else { return path(text) }
        let name = qualified(first)
        let isContainer =
            containers.contains(name) || (name.namespace.isEmpty && containers.contains { $0.name == name.name })
        return isContainer ? segments[1] : path(text)
    }
}
