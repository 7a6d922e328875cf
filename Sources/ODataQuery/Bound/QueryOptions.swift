import ODataModel

/// The system query options of a request or of an expanded navigation property.
///
/// [OData-URL, section 5.1]
public struct QueryOptions: Hashable, Sendable {
    /// `$apply`: evaluated before all other options, which see what it gives.
    public var apply: Application?
    /// `$compute`: evaluated before `$filter`.
    public var compute: [ComputeItem] = []
    /// `$search`
    public var search: SearchExpression?
    public var filter: Expression?
    /// Nil or empty: all structural properties.
    public var select: [SelectItem]?
    public var expand: [ExpandItem] = []
    /// The streams that `$expand` names: their content comes with the entities.
    public var streams: [ExpandedStream] = []
    public var orderBy: [OrderItem] = []
    public var top: Int?
    public var skip: Int?
    public var count = false
    public var skipToken: String?
    public var deltaToken: String?
    public var format: String?
    /// `$id` of a request to `/$ref`: the entity whose relation it is.
    public var id: String?
    /// `$index`: the position of a member that is inserted into an ordered collection.
    public var index: Int?
    public var schemaVersion: String?
    /// Options that are not the standard's, in their order, decoded.
    public var custom: [CustomOption] = []

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
    /// Everything else that ends in a property: `Model.Manager/Budget`, `Address/Country`,
    /// `Tags($filter=startswith($this,'a');$top=2)`, a dynamic or computed property.
    case path([PropertyPath.Step], QueryOptions?)
    /// `Model.*`, `Model.Approve`: operations that are to be advertised.
    case operation(String)
}

/// A stream in `$expand`.
///
/// [OData-URL, section 5.1.3]
public enum ExpandedStream: Hashable, Sendable {
    /// `$value`: that of media entities.
    case media
    /// `Photo`, `Model.Manager/Photo`: casts, and the stream property.
    case property([StructuredType], Property)
}

/// One part of `$expand`.
public struct ExpandItem: Hashable, Sendable {
    /// What comes of the related entities.
    public enum Form: Hashable, Sendable {
        case entities
        /// `Items/$ref`
        case references
        /// `Items/$count`
        case count
    }

    /// Complex properties and casts on the way to the navigation property: `Address/Country`,
    /// `Model.Manager/Reports`.
    public var prefix: [PropertyPath.Step]
    public var navigation: NavigationProperty
    public var targetSet: EntitySet?
    /// The target of the navigation property, or the derived type it is cast to.
    public var targetType: StructuredType
    public var form: Form
    public var levels: Levels?
    public var options: QueryOptions

    /// `$levels`
    public enum Levels: Hashable, Sendable {
        case number(Int)
        case max
    }

    public init(
        prefix: [PropertyPath.Step] = [], navigation: NavigationProperty, targetSet: EntitySet?,
        targetType: StructuredType, form: Form = .entities, levels: Levels? = nil,
        options: consuming QueryOptions = QueryOptions()
    ) {
        self.prefix = prefix
        self.levels = levels
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

/// `Price mul Quantity as Total`
///
/// [OData-URL, section 5.1.3]
public struct ComputeItem: Hashable, Sendable {
    public var expression: Expression
    public var alias: String
    /// Nil where the expression is `null`.
    public var type: TypeReference?

    public init(expression: Expression, alias: String, type: TypeReference?) {
        self.expression = expression
        self.alias = alias
        self.type = type
    }

    /// The type of the property that the alias names.
    public var propertyType: TypeReference { type ?? .primitive(.untyped) }
}

/// `foo=bar` in a query.
public struct CustomOption: Hashable, Sendable {
    public var name: String
    /// Empty where there was no `=`.
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
