import ODataModel
import ODataSQL

/// A navigation property with what is behind it.
struct WritableNavigation {
    var navigation: EdmNavigationProperty
    var target: PublishedTable
    var mapping: NavigationMapping
    /// Whether this side has the foreign key.
    var isDependent: Bool

    var isCollection: Bool { navigation.isCollection }

    /// Columns of this side and of the target; empty for link tables.
    var pairs: [NavigationMapping.ColumnPair] {
        if case .columns(let pairs, _) = mapping { pairs } else { [] }
    }
}

/// What makes a new entity a member of a collection.
struct Membership {
    /// Its foreign key.
    var columns = ColumnAssignments()
    /// Its place in a link table.
    var link: (WritableNavigation, LocatedEntity)?
    /// The type that the path to the collection asks for.
    var type: EdmStructuredType?

    init(type: EdmStructuredType? = nil) {
        self.type = type
    }
}
