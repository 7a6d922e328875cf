import ODataModel
import ODataQuery

extension EntityCollection {
    /// The path of an entity: in its own set, if the store has returned it, else in what was read; by its key, or by
    /// its id where the key has no value yet, as in an offline store before the upload.
    ///
    /// [OData-URL, section 4.3.1: Canonical URL]
    func location(of element: Element) throws -> String {
        if isSingleton { return query.path }
        if let key = element.entityKey { return location(of: element, key) }
        if let id = element.entityID { return id }
        return try query.path + key(of: element).urlText
    }

    /// The same, with a key that only the model names.
    func target(of element: Element) async throws -> ResourcePath {
        guard !isSingleton, Element.source(of: element) == nil, element.entityKey == nil,
            let type = try await entityType(), let key = EntityKey(of: type, in: element.creation.properties)
        else { return try await path(try location(of: element)) }
        return try await path(query.path + key.urlText)
    }

    /// The type of the entities here; nil where the model does not specify it.
    func entityType() async throws -> EdmStructuredType? {
        try await path(query.path).entityType(in: try await store.model())
    }

    /// `Items(7)` of what was read as `Orders(1)/Items`, with the cast where there is one. A set's own path stays.
    private func location(of element: Element, _ key: EntityKey) -> String {
        let steps = query.path.split(separator: "/", omittingEmptySubsequences: false)
        let casts = steps.reversed().prefix { $0.contains(".") && !$0.contains("(") }.reversed()
        let rest = steps.dropLast(casts.count)
        guard rest.count > 1 || rest.contains(where: { $0.contains("(") }),
            let set = Element.source(of: element)?.entitySet
        else { return query.path + key.urlText }
        return ([ResourcePath(set, key: key).url] + casts.map(String.init)).joined(separator: "/")
    }

    func key(of element: Element) throws -> EntityKey {
        guard let key = element.entityKey else {
            throw ODataError(.badRequest, "An entity of \(query.path) without a key cannot be named: it was not read.")
        }
        return key
    }
}
