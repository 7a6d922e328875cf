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
        if let name = block.context.flatMap({ PayloadContext($0).set }), isOther(name) {
            throw ODataError(
                isDelta ? .gone : .invalidResponse,
                "The service sent entities of \(name) where those of \(bound.path.url) were asked for.")
        }
        for diagnostic in block.diagnostics {
            guard let type = diagnostic.type, offline.model.structuredType(named: type) != nil else { continue }
            throw ODataError(
                .invalidResponse,
                "The service sent an entity of the type \(type) where \(bound.path.url) was asked for.")
        }
    }

    /// Whether a context URL names a set of the model that the query does not lead to.
    private func isOther(_ name: String) -> Bool {
        guard offline.model.entitySet(named: name) != nil else { return false }
        return name != bound.path.rootSet?.name && name != bound.path.entitySet?.name
    }
}
