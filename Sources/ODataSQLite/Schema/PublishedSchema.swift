import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// A file's tables as an entity data model, with the way back.
struct PublishedSchema: Sendable {
    let model: Model
    let tables: [String: PublishedTable]
    let rowSources: [String: RowSource]
    let notices: [String]
    /// Takes values that have become unfit since.
    let misfits = MisfitLog()

    /// The table of `set`; nil stands for a path that starts at no set.
    func table(of set: EntitySet?) throws -> PublishedTable {
        guard let set else {
            throw ODataError(.notImplemented, "The store can only answer for entity sets and singletons here.")
        }
        guard let table = tables[set.name] else {
            throw ODataError(.notFound, "There is no entity set \(set.name) in this file.")
        }
        return table
    }
}

extension PublishedSchema: SQLMapping {
    package func rows(of set: EntitySet) throws -> RowSource {
        guard let source = rowSources[set.name] else {
            throw ODataError(.notFound, "There is no entity set \(set.name) in this file.")
        }
        return source
    }
}
