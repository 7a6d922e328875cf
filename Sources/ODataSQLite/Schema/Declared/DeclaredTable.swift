import ODataModel

/// What a declared model says of a table, besides its columns.
struct DeclaredTable: Sendable {
    /// Contained entities belong to one entity, whose row id is in their rows.
    struct Container: Sendable {
        /// The set of the containing entities.
        var set: String
        var navigation: EdmNavigationProperty
        /// `/Items`, `/Shop.Car/Stickers`: what follows the containing entity in paths.
        var path: String
    }

    /// The set; for contained entities one that the model does not know, named `Orders/Items`.
    var entitySet: EdmEntitySet
    /// The set's type, then those derived from it.
    var types: [EdmStructuredType]
    /// The navigation properties of all types.
    var navigations: [BoundNavigation]
    var container: Container?
    /// What a search looks into: properties, and paths into complex ones.
    var searchable: [String]
    /// Columns of which no two rows have the same values.
    var unique: [[String]]
    /// What the ETag stands for; empty: all columns.
    var etagColumns: [String]
    /// What the set does not take: `InsertRestrictions` and its like.
    var refusesInsert: Bool
    var refusesUpdate: Bool
    var refusesDelete: Bool

    static let rowID = RelationResolver.rowID
    static let typeColumn = "$type"
    static let dynamicColumn = "$dynamic"
    static let mediaColumn = "$media"
    /// The row id of the containing entity.
    static let parentColumn = RelationResolver.parentColumn

    /// Whether a column has the names of the entities' types.
    var hasTypes: Bool { types.count > 1 }
    var isOpen: Bool { types.contains(where: \.isOpen) }
    var isSingleton: Bool { entitySet.kind == .singleton }

    func type(named name: EdmQualifiedName) -> EdmStructuredType? { types.first { $0.name == name } }

    func navigation(named name: String) -> BoundNavigation? { navigations.first { $0.name == name } }
}

extension PublishedTable {
    /// What relations are resolved with; nil for a table that is not of a declared model.
    var place: RelationResolver.Place? {
        declared.map { declared in
            .init(
                set: declared.entitySet, types: declared.types, navigations: declared.navigations,
                container: declared.container?.set, table: name
            ) { property in
                column(ofProperty: property).map { .init(name: $0.name, affinity: $0.affinity) }
            }
        }
    }
}
