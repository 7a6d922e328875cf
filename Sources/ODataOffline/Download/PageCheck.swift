import ODataModel
import ODataQuery
import ODataStores

/// Checks that a page belongs to the requested query.
struct PageCheck {
    let bound: BoundQuery
    let offline: OfflineModel
    let isDelta: Bool

    /// - Throws: ``ODataError`` `gone` if a delta link leads to another result, `invalidResponse` if a page is of
    ///   another set, has entities of an unrelated type, or another entity than the requested one.
    func check(_ block: RowBlock, _ shape: RowShape) throws {
        if let path = block.context.map({ PayloadContext($0).path }), isOther(path) {
            throw ODataError(
                isDelta ? .gone : .invalidResponse,
                "The service sent entities of \(path.joined(separator: "/")) where those of \(bound.path.url) were requested."
            )
        }
        for diagnostic in block.diagnostics {
            guard let type = diagnostic.type, offline.model.structuredType(named: type) != nil else { continue }
            throw ODataError(
                .invalidResponse,
                "The service sent an entity of the type \(type) where \(bound.path.url) was requested.")
        }
        guard case .key(let asked)? = bound.path.segments.last else { return }
        for row in block.rows.indices where block.rows[row].depth == 0 && block.rows[row].change == .entity {
            guard let key = block.key(row: row, shape: shape), !isSame(key, as: asked) else { continue }
            throw ODataError(
                isDelta ? .gone : .invalidResponse,
                "The service sent the entity with the key \(key.urlText) where \(bound.path.url) was requested.")
        }
    }

    /// Whether a context URL names a set of the model that the query does not lead to, or contained entities.
    private func isOther(_ path: [String]) -> Bool {
        guard offline.model.knows(path) else { return false }
        return path.count > 1 || path[0] != bound.path.rootSet?.name && path[0] != bound.path.entitySet?.name
    }

    /// Whether an entity with the key `sent` may be the one with the key `asked`: services may compare texts without
    /// regard to case, and may write instants with another offset and enumeration values as numbers.
    private func isSame(_ sent: EntityKey, as asked: EntityKey) -> Bool {
        asked.components.allSatisfy { component in
            guard let value = sent[component.name], value != component.value else { return true }
            switch (component.value, value) {
            case (.string(let asked), .string(let sent)): return asked.lowercased() == sent.lowercased()
            case (.dateTimeOffset(let asked), .dateTimeOffset(let sent)): return !(asked < sent) && !(sent < asked)
            case (.enumeration(let name, _), _), (_, .enumeration(let name, _)):
                guard let type = offline.model.enumType(named: name) else { return false }
                return type.number(of: component.value) == type.number(of: value)
            default: return false
            }
        }
    }
}
