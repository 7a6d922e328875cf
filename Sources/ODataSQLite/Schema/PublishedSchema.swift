import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// A file's tables as an entity data model, with the way back.
struct PublishedSchema: Sendable {
    let model: EdmModel
    let tables: [String: PublishedTable]
    var rowSources: [String: RowSource]
    var notices: [String]
    /// What the values of somebody else's tables were taken for, by set.
    var fits: [String: [ColumnFit]] = [:]
    /// SQLite's number for the file's schema that this was made of.
    var version: Int64 = 0
    /// Takes values that have become unfit since.
    let misfits = MisfitLog()
    /// The sets of contained entities, by name.
    var hiddenSets: [String: EdmEntitySet] = [:]
    /// Relations of a declared model, by set and navigation property.
    var relations: [String: [String: ResolvedRelation]] = [:]
    /// What makes the tables of a declared model.
    var statements: [DeclaredStatements.Statement] = []

    func entitySet(named name: String) -> EdmEntitySet? { model.entitySet(named: name) ?? hiddenSets[name] }

    /// The table of `set`; nil stands for a path that starts at no set.
    func table(of set: EdmEntitySet?) throws -> PublishedTable {
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
    /// Tables of a declared model hold what this package has written; those of others have no such number.
    package var keepsNaN: Bool { !statements.isEmpty }

    package func hiddenSet(named name: String) -> EdmEntitySet? { hiddenSets[name] }

    package func rows(of set: EdmEntitySet) throws -> RowSource {
        guard let source = rowSources[set.name] else {
            throw ODataError(.notFound, "There is no entity set \(set.name) in this file.")
        }
        return source
    }
}
