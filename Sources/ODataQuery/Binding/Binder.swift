import ODataModel

/// Checks the syntax tree of a query against a model: resolves names, gives literals their types.
struct Binder {
    let model: Model
    let source: QuerySource

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
    func unknownMember(_ name: NameSyntax, of type: StructuredType) -> QueryError {
        if name.isQualified { return notImplemented("The type or function segment \(name.text)", at: name.offset) }
        let names = type.properties.map(\.name) + type.navigationProperties.map(\.name)
        return unknown("property \(name.text) in \(type.name)", name, among: names)
    }

    /// `name` with the alias of a schema replaced by its namespace.
    func resolved(_ name: QualifiedName) -> QualifiedName {
        guard let schema = model.schemas.first(where: { $0.alias == name.namespace }) else { return name }
        return QualifiedName(namespace: schema.namespace, name: name.name)
    }
}
