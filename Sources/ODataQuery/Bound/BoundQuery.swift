import ODataModel

/// A request for data, checked against a model: a resource path and query options.
///
/// [OData-URL, sections 4 and 5]
public struct BoundQuery: Hashable, Sendable {
    public var path: ResourcePath
    public var options: QueryOptions

    public init(path: ResourcePath, options: QueryOptions = QueryOptions()) {
        self.path = path
        self.options = options
    }
}

/// A path that starts at an entity set or singleton.
///
/// [OData-URL, section 4]
public struct ResourcePath: Hashable, Sendable {
    public enum Root: Hashable, Sendable {
        /// `Products`; singletons too.
        case entitySet(EntitySet)
        /// `$1`: the entity that the request with this content id of the same batch made or changed.
        case contentID(String, EntitySet)
    }

    public enum Segment: Hashable, Sendable {
        /// `(1)`, `(OrderID=1,ProductID=2)`
        case key(EntityKey)
        /// `/Category`; the target set is nil where the model binds none.
        case navigation(NavigationProperty, EntitySet?)
        /// `/Name`, `/Address`, `/Photo` (a stream property)
        case property(Property)
        /// `/Model.Manager`
        case cast(StructuredType)
        /// `/$count`
        case count
        /// `/$value`
        case value
        /// `/$ref`
        case ref
    }

    public var root: Root
    public var segments: [Segment]

    public init(root: Root, segments: [Segment] = []) {
        self.root = root
        self.segments = segments
    }

    /// The path of an entity set, or of one of its entities.
    public init(_ set: EntitySet, key: EntityKey? = nil) {
        root = .entitySet(set)
        segments = key.map { [.key($0)] } ?? []
    }
}

extension ResourcePath {
    /// What a path stands for.
    public enum Target: Hashable, Sendable {
        case collection
        case entity
        case property(Property)
        case stream(Property)
    }

    public var rootSet: EntitySet {
        switch root {
        case .entitySet(let set), .contentID(_, let set): set
        }
    }

    /// The suffix `$count`, `$value` or `$ref`, if the path ends with one.
    public var suffix: Segment? {
        switch segments.last {
        case .count, .value, .ref: segments.last
        default: nil
        }
    }

    /// The path without `$count`, `$value` or `$ref`.
    public var resource: ResourcePath {
        suffix == nil ? self : ResourcePath(root: root, segments: Array(segments.dropLast()))
    }

    /// The set of the entities the path leads to; nil where the model binds none, or for contained entities.
    public var entitySet: EntitySet? {
        var set: EntitySet? = rootSet
        for case .navigation(_, let target) in segments { set = target }
        return set
    }

    /// What ``resource`` stands for.
    public var target: Target {
        var target: Target =
            if case .contentID = root { .entity } else { rootSet.kind == .singleton ? .entity : .collection }
        for segment in segments {
            switch segment {
            case .key: target = .entity
            case .navigation(let navigation, _): target = navigation.isCollection ? .collection : .entity
            case .property(let property): target = property.isStream ? .stream(property) : .property(property)
            case .cast, .count, .value, .ref: break
            }
        }
        return target
    }

    /// The path with one more segment.
    public func appending(_ segment: Segment) -> ResourcePath {
        ResourcePath(root: root, segments: segments + [segment])
    }
}

/// The system query options of a request or of an expanded navigation property.
///
/// [OData-URL, section 5.1]
public struct QueryOptions: Hashable, Sendable {
    public var filter: Expression?
    /// Nil or empty: all structural properties.
    public var select: [SelectItem]?
    public var expand: [ExpandItem] = []
    public var orderBy: [OrderItem] = []
    public var top: Int?
    public var skip: Int?
    public var count = false
    public var skipToken: String?
    public var deltaToken: String?
    public var format: String?
    /// `$id` of a request to `/$ref`: the entity whose relation it is.
    public var id: String?

    public init() {}
}

/// One part of `$select`.
public enum SelectItem: Hashable, Sendable {
    /// `*`
    case all
    /// `Name`, `Address/City`: properties from the outside in.
    case property([Property])
    /// `Category`: its navigation link.
    case navigation(NavigationProperty)
}

/// One part of `$expand`.
public struct ExpandItem: Hashable, Sendable {
    public enum Form: Hashable, Sendable {
        case entities
        /// `Items/$ref`
        case references
        /// `Items/$count`
        case count
    }

    public var navigation: NavigationProperty
    public var targetSet: EntitySet?
    public var targetType: StructuredType
    public var form: Form
    public var options: QueryOptions

    public init(
        navigation: NavigationProperty, targetSet: EntitySet?, targetType: StructuredType, form: Form = .entities,
        options: QueryOptions = QueryOptions()
    ) {
        self.navigation = navigation
        self.targetSet = targetSet
        self.targetType = targetType
        self.form = form
        self.options = options
    }
}

/// One part of `$orderby`.
public struct OrderItem: Hashable, Sendable {
    public var expression: Expression
    public var isDescending: Bool

    public init(expression: Expression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}
