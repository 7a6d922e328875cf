import ODataModel

/// The facts of a declared model about a table, besides its columns.
struct DeclaredTable: Sendable {
    /// Contained entities belong to one entity, whose row id is in their rows.
    struct Container: Sendable {
        /// The set of the containing entities.
        var set: String
        var navigation: EdmNavigationProperty
        /// `/Items`, `/Shop.Car/Stickers`: the path after the containing entity.
        var path: String
    }

    /// The entity set; for contained entities one named `Orders/Items` that the model does not declare.
    var entitySet: EdmEntitySet
    /// The set's type, then those derived from it.
    var types: [EdmStructuredType]
    /// The navigation properties of all types.
    var navigations: [BoundNavigation]
    var container: Container?
    /// The searched properties, and paths into complex properties.
    var searchable: [String]
    /// Columns with a unique constraint.
    var unique: [[String]]
    /// The columns of the ETag; empty for all columns.
    var etagColumns: [String]

    static let rowID = NavigationResolver.rowID
    static let typeColumn = "$type"
    static let dynamicColumn = "$dynamic"
    static let mediaColumn = "$media"
    /// The row id of the containing entity.
    static let parentColumn = NavigationResolver.parentColumn

    /// Whether a column contains the names of the entities' types.
    var hasTypes: Bool { types.count > 1 }
    var isOpen: Bool { types.contains(where: \.isOpen) }
    var isSingleton: Bool { entitySet.kind == .singleton }

    func type(named name: EdmQualifiedName) -> EdmStructuredType? { types.first { $0.name == name } }

    func navigation(named name: String) -> BoundNavigation? { navigations.first { $0.name == name } }
}

extension PublishedTable {
    /// The table for the resolver of navigation properties; nil for a table that is not of a declared model.
    var place: NavigationResolver.Place? {
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
