import ODataModel

/// Checks the syntax tree of a query against a model: resolves names, gives literals their types.
///
/// A class, since all that follow paths hold on to it.
final class Binder {
    let model: EdmModel
    let source: QuerySource
    /// The values of parameter aliases, by name without the sign; those of ``outer`` hold where there is none here.
    let aliases: [String: ExpressionSyntax]
    /// What the options around are bound by, inside parentheses that give aliases values.
    let outer: Binder?
    /// Custom query options: a function called without parentheses takes its parameters from them.
    let custom: [CustomSyntax]
    /// The sets of the entities that earlier requests of a batch gave ids to.
    let contentIDs: [String: EdmEntitySet]
    let limits: QueryLimits
    /// The number of expression parts that replaced aliases.
    private var aliasParts = 0

    init(
        model: EdmModel, source: QuerySource, aliases: [ArgumentSyntax] = [], custom: [CustomSyntax] = [],
        contentIDs: [String: EdmEntitySet] = [:], limits: QueryLimits
    ) {
        self.model = model
        self.source = source
        self.aliases = Dictionary(aliases.map { ($0.name.text, $0.value) }) { $1 }
        outer = nil
        self.custom = custom
        self.contentIDs = contentIDs
        self.limits = limits
    }

    private init(aliases: [ArgumentSyntax], inside outer: Binder) {
        model = outer.model
        source = outer.source
        self.aliases = Dictionary(aliases.map { ($0.name.text, $0.value) }) { $1 }
        self.outer = outer
        custom = outer.custom
        contentIDs = outer.contentIDs
        limits = outer.limits
    }

    /// What options in parentheses are bound by: values that they give aliases hold there, before those outside.
    ///
    /// [OData-ABNF, `expandOption`, `selectOption`: aliasAndValue]
    func inside(_ options: OptionsSyntax) -> Binder {
        options.aliases.isEmpty ? self : Binder(aliases: options.aliases, inside: self)
    }

    /// Counts a part of what an alias stands for: aliases that name others twice each soon stand for more than fits.
    func tallyAliasPart(at offset: Int) throws(QueryError) {
        if let outer { return try outer.tallyAliasPart(at: offset) }
        aliasParts += 1
        guard aliasParts <= limits.count else {
            throw error(.limitExceeded, "Aliases stand for more than \(limits.count) parts.", at: offset)
        }
    }

    func error(
        _ code: QueryError.Code, _ message: String, at offset: Int, expected: String? = nil
    ) -> QueryError {
        source.error(code, message, at: offset, expected: expected)
    }

    func notImplemented(_ what: String, at offset: Int) -> QueryError {
        error(.notImplemented, "\(what) is not supported.", at: offset)
    }

    /// `what` is not a name that is known; says which known one is nearest.
    func unknown(_ what: String, _ name: NameSyntax, among names: [String]) -> QueryError {
        let nearest = nearestName(to: name.text, in: names)
        return error(.unknownName, "There is no \(what).", at: name.offset, expected: nearest)
    }

    /// The property or navigation property `name` of `type` is not there.
    func unknownMember(_ name: NameSyntax, of type: EdmStructuredType) -> QueryError {
        let names = type.properties.map(\.name) + type.navigationProperties.map(\.name)
        return unknown("property \(name.text) in \(type.name)", name, among: names)
    }

    // MARK: Types

    /// `name` with the alias of a schema replaced by its namespace.
    func resolved(_ name: EdmQualifiedName) -> EdmQualifiedName {
        guard let schema = model.schemas.first(where: { $0.alias == name.namespace }) else { return name }
        return EdmQualifiedName(namespace: schema.namespace, name: name.name)
    }

    /// The structured type that `type` refers to, or is a collection of.
    func structuredType(_ type: EdmTypeReference?) -> EdmStructuredType? {
        switch type {
        case .entity(let name), .complex(let name): model.structuredType(named: name)
        case .collection(let element): structuredType(element)
        default: nil
        }
    }

    /// The type that a name stands for: `Edm.String`, `Model.Color`, `Collection(Model.Address)`
    func type(_ syntax: TypeNameSyntax) throws(QueryError) -> EdmTypeReference {
        let single = try type(named: syntax.name)
        return syntax.isCollection ? .collection(single) : single
    }

    private func type(named syntax: NameSyntax) throws(QueryError) -> EdmTypeReference {
        let name = resolved(EdmQualifiedName(syntax.text))
        if name.namespace == "Edm" {
            if let primitive = EdmPrimitiveType(rawValue: name.name) { return .primitive(primitive) }
            if name.name == "EntityType" { return .entity(name) }
            if name.name == "ComplexType" { return .complex(name) }
            throw unknown(
                "type \(syntax.text)", syntax, among: EdmPrimitiveType.allCases.map { "Edm.\($0.rawValue)" })
        }
        if let type = model.structuredType(named: name) { return type.reference }
        if model.enumType(named: name) != nil { return .enumeration(name) }
        if let definition = model.typeDefinition(named: name) { return .primitive(definition.underlyingType) }
        let known = model.schemas.flatMap(\.declaredTypeNames)
        throw unknown("type \(syntax.text)", syntax, among: known.map(\.description))
    }

    /// The structured type of the given name; nil if the model has none.
    func structuredType(named name: NameSyntax) -> EdmStructuredType? {
        name.isQualified ? model.structuredType(named: resolved(EdmQualifiedName(name.text))) : nil
    }

    /// `cast` as a type that values of `type` can have.
    func checkedCast(
        _ cast: EdmStructuredType, of type: EdmStructuredType, at offset: Int
    ) throws(QueryError) -> EdmStructuredType {
        guard cast.isKind(of: type) || type.isKind(of: cast) || type.name.namespace == "Edm" else {
            let known = model.derivedTypes(of: type).map(\.name.description)
            throw error(
                .typeMismatch, "\(cast.name) does not derive from \(type.name).", at: offset,
                expected: known.isEmpty ? nil : known.joined(separator: " or "))
        }
        return cast
    }
}

extension EdmTypeReference {
    /// The type of the members, if this is a collection.
    var element: EdmTypeReference? {
        if case .collection(let element) = self { element } else { nil }
    }

    static let untyped = EdmTypeReference.primitive(.untyped)
}
