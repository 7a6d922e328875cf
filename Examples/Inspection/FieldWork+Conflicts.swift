import OData

/// An entity that was changed here, and meanwhile at the service too.
public struct OpenConflict: Hashable, Identifiable, Sendable {
    /// A property with different values.
    public struct Difference: Hashable, Sendable {
        public let property: String
        /// As text; nil for null, and where the entity was deleted, or made here.
        public let before: String?
        public let mine: String?
        public let theirs: String?

        /// Otherwise the service alone has another value.
        public var isChangedHere: Bool { mine != before }
    }

    /// One of the requests that it is about.
    public let id: Int64
    /// `Inspections(7000)`
    public let entity: String
    public let differences: [Difference]
    public let isDeletedHere: Bool
    public let isDeletedThere: Bool

    init?(_ conflict: ChangeConflict) {
        guard let request = conflict.requests.first else { return nil }
        (id, entity) = (request.id, conflict.path)
        (isDeletedHere, isDeletedThere) = (conflict.mine == nil, conflict.theirs == nil)
        let versions = [conflict.base, conflict.mine, conflict.theirs]
        var names: [String] = []
        for name in versions.compactMap({ $0?.properties.names }).joined() where !names.contains(name) {
            names.append(name)
        }
        differences = names.compactMap { name in
            let texts = versions.map { $0?[name].flatMap { $0.isNull ? nil : $0.lexical } }
            guard texts[1] != texts[2] else { return nil }
            return Difference(property: name, before: texts[0], mine: texts[1], theirs: texts[2])
        }
    }
}

extension FieldWork {
    /// The conflicts that the user has to resolve: a store holds them until then, unless it is configured otherwise.
    public func conflicts() async throws -> [OpenConflict] {
        try await store.conflicts().compactMap(OpenConflict.init)
    }

    /// Sends what was changed here, over the version of the service, with the next ``sync()``.
    public func keepMine(_ conflict: OpenConflict.ID) async throws {
        try await store.resolve(requestID: conflict, as: .mine)
    }

    /// Discards what was changed here.
    public func takeTheirs(_ conflict: OpenConflict.ID) async throws {
        try await store.resolve(requestID: conflict, as: .theirs)
    }

    /// Sends the values that these properties have here, with the next ``sync()``; all others get those of the service.
    ///
    /// - Throws: `ODataError` `notFound` where there is no such conflict, or the entity was deleted here.
    public func merge(_ conflict: OpenConflict.ID, keeping properties: Set<String>) async throws {
        guard let mine = try await store.conflict(requestID: conflict)?.mine else {
            throw ODataError(.notFound, "There is no conflict \(conflict) with values of this device.")
        }
        let kept = mine.properties.members.filter { properties.contains($0.name) }
        guard !kept.isEmpty else { return try await takeTheirs(conflict) }
        try await store.resolve(requestID: conflict, as: .merged(EntityPayload(EdmComplexValue(kept))))
    }
}
