import ODataModel
import ODataQuery
import ODataStores

/// Checks that a page is one of the query that was asked for.
struct PageCheck {
    let bound: BoundQuery
    let offline: OfflineModel
    let isDelta: Bool

    /// - Throws: ``ODataError`` `gone` if a delta link led to something else, `invalidResponse` if a page is of
    ///   another set or has entities of a type that has nothing to do with the query's.
    func check(_ block: RowBlock) throws {
        if let path = block.context.map({ PayloadContext($0).path }), isOther(path) {
            throw ODataError(
                isDelta ? .gone : .invalidResponse,
                "The service sent entities of \(path.joined(separator: "/")) where those of \(bound.path.url) were asked "
                    + "for.")
        }
        for diagnostic in block.diagnostics {
            guard let type = diagnostic.type, offline.model.structuredType(named: type) != nil else { continue }
            throw ODataError(
                .invalidResponse,
                "The service sent an entity of the type \(type) where \(bound.path.url) was asked for.")
        }
    }

    /// Whether a context URL names a set of the model that the query does not lead to, or contained entities.
    private func isOther(_ path: [String]) -> Bool {
        guard offline.model.knows(path) else { return false }
        return path.count > 1 || path[0] != bound.path.rootSet?.name && path[0] != bound.path.entitySet?.name
    }
}
