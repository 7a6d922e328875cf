/// What ``OfflineStore/setQueries(_:)`` has done, by the names of the defining queries.
public struct QueryChanges: Hashable, Sendable {
    /// Queries that the store did not have.
    public var added: [String] = []
    /// Queries that differ from those of the same name that the store had.
    public var changed: [String] = []
    /// Queries that the store had as they are.
    public var kept: [String] = []
    /// Queries that the store had and that are not declared any more.
    public var removed: [String] = []

    /// Whether all queries were kept and none was removed.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// - Parameters:
    ///   - declared: Queries with names of their own.
    ///   - records: Those of the store.
    init(_ declared: [DefiningQuery], from records: [QueryRecord]) {
        for query in declared {
            switch records.first(where: { $0.definition.name == query.name })?.definition {
            case nil: added.append(query.name)
            case query.normalised?: kept.append(query.name)
            case _?: changed.append(query.name)
            }
        }
        let names = Set(declared.map(\.name))
        removed = records.map(\.definition.name).filter { !names.contains($0) }
    }
}

extension DefiningQuery {
    /// As the store keeps it: the least ``Refresh/changedSince(_:compareEvery:)`` compares is with every download.
    var normalised: DefiningQuery {
        var query = self
        if case .changedSince(let name, let every) = refresh {
            query.refresh = .changedSince(name, compareEvery: max(1, every))
        }
        return query
    }
}
