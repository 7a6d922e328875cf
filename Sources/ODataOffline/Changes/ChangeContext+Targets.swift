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
    func path(
        of reference: EntityReference, leadingTo relation: LocalNavigation, by navigation: String
    ) throws -> ResourcePath {
        let path = try path(of: reference)
        try check(path, leadsTo: relation, by: navigation)
        return path
    }

    /// - Throws: ``ODataError`` `badRequest` if the path does not lead to an entity of the relation's target set.
    func check(_ path: ResourcePath, leadsTo relation: LocalNavigation, by navigation: String) throws {
        guard path.target == .entity, path.entitySet?.name == relation.targetSet else {
            let found = path.target == .entity ? path.entitySet.map { "an entity of \($0.name)" } : nil
            throw ODataError.wrongSet(navigation, takes: relation.targetSet, not: found ?? path.url)
        }
    }

    /// - Throws: ``ODataError`` `badRequest` if the navigation property must lead to an entity: it is not nullable, or one
    ///   of the columns that hold the reference is not.
    func checkOptional(_ columns: [String], of table: LocalTable, _ navigation: EdmNavigationProperty) throws {
        let isRequired = table.columns.contains {
            columns.contains($0.name) && ($0.isKey || !$0.property.isNullable)
        }
        guard !isRequired, navigation.isCollection || navigation.isNullable else {
            throw ODataError.mustLead(navigation.name)
        }
    }
}
