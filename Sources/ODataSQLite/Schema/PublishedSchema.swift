import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// The entity data model of a file's tables, and the mapping back to the tables.
struct PublishedSchema: Sendable {
    let model: EdmModel
    let tables: [String: PublishedTable]
    var rowSources: [String: RowSource]
    var notices: [String]
    /// The types that were determined for a foreign file's values, by set.
    var fits: [String: [ColumnFit]] = [:]
    /// SQLite's version number of the file's schema at the time of the scan.
    var version: Int64 = 0
    /// Records values that do not fit any more.
    let misfits = MismatchedValueLog()
    /// The sets of contained entities, by name.
    var hiddenSets: [String: EdmEntitySet] = [:]
    /// The mappings of a declared model's navigation properties, by set and navigation property.
    var navigation: [String: [String: ResolvedNavigation]] = [:]
    /// The statements that create the tables of a declared model.
    var statements: [DeclaredStatements.Statement] = []

    func entitySet(named name: String) -> EdmEntitySet? { model.entitySet(named: name) ?? hiddenSets[name] }

    /// The table of `set`; nil for a path that does not start at a set.
    func table(of set: EdmEntitySet?) throws -> PublishedTable {
        guard let set else {
            throw ODataError(.notImplemented, "Only entity sets and singletons are supported here.")
        }
        guard let table = tables[set.name] else {
            throw ODataError.noSet(set.name)
        }
        return table
    }
}

extension PublishedSchema: SQLMapping {
    /// Only this package writes the tables of a declared model; other files do not have such a number.
    package var keepsNaN: Bool { !statements.isEmpty }

    package func hiddenSet(named name: String) -> EdmEntitySet? { hiddenSets[name] }

    package func rows(of set: EdmEntitySet) throws -> RowSource {
        guard let source = rowSources[set.name] else {
            throw ODataError.noSet(set.name)
        }
        return source
    }
}

extension ODataError {
    static func noSet(_ name: String) -> ODataError {
        ODataError(.notFound, "The file does not have the entity set \(name).")
    }
}
