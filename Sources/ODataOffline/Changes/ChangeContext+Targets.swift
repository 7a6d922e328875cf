import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// What relations may lead to, and which must be.
extension ChangeContext {
    /// - Throws: ``ODataError`` `notImplemented` for contained entities, which the store only reads.
    func checkChangeable(_ table: LocalTable?, at path: ResourcePath) throws {
        guard let container = table?.container else { return }
        throw ODataError(
            .notImplemented,
            "\(path.url) leads to entities that are contained in \(container.set). An offline store cannot change "
                + "them: change them online.")
    }

    /// The path that a reference stands for, which must be of an entity of the relation's target set.
    func path(of reference: EntityReference, leadingTo relation: LocalRelation) throws -> ResourcePath {
        let path = try path(of: reference)
        try check(path, leadsTo: relation)
        return path
    }

    /// - Throws: ``ODataError`` `badRequest` if the path does not lead to an entity of the relation's target set.
    func check(_ path: ResourcePath, leadsTo relation: LocalRelation) throws {
        guard path.target == .entity, path.entitySet?.name == relation.targetSet else {
            throw ODataError(.badRequest, "\(path.url) is not an entity of \(relation.targetSet).")
        }
    }

    /// - Throws: ``ODataError`` `badRequest` if one of the columns that make the relation takes no null.
    func checkOptional(_ columns: [String], of table: LocalTable, _ navigation: String) throws {
        for column in table.columns where columns.contains(column.name) {
            guard !column.isKey, column.property.isNullable else {
                throw ODataError(
                    .badRequest,
                    "\(navigation) cannot be taken away: \(column.property.name) of \(table.set.name) must have a value."
                )
            }
        }
    }
}
