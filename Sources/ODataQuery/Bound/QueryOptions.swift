import ODataModel

/// The system query options of a request or of an expanded navigation property.
///
/// [OData-URL, section 5.1]
public struct QueryOptions: Hashable, Sendable {
    /// `$apply`: evaluated before all other options, which see what it gives.
    public var apply: ApplyExpression?
    /// `$compute`: evaluated before `$filter`.
    public var compute: [ComputeItem] = []
    /// `$search`
    public var search: SearchExpression?
    /// `$filter`: a Boolean expression; what it is not true of is left out. [OData-URL, section 5.1.2]
    public var filter: QueryExpression?
    /// Nil or empty: all structural properties.
    public var select: [SelectItem]?
    /// `$expand`: the navigation properties to include; its streams are in ``streams``. [OData-URL, section 5.1.3]
    public var expand: [ExpandItem] = []
    /// The streams that `$expand` names: their content is part of the entities.
    public var streams: [ExpandedStream] = []
    /// `$orderby`: the first item decides, each further one where those before make no difference. Empty: the store's
    /// order.
    public var orderBy: [OrderItem] = []
    /// `$top`: the most instances there may be, on all pages together; nil: any number.
    public var top: Int?
    /// `$skip`: how many instances are left out before ``top`` counts.
    public var skip: Int?
    /// `$count=true`: asks for the number of all instances, whatever ``top`` and ``skip`` leave out.
    public var count = false
    /// `$skiptoken` of a next link: made by the service, and opaque. [OData-Protocol, section 11.2.6.7]
    public var skipToken: String?
    /// `$deltatoken` of a delta link: made by the service, and opaque. [OData-Protocol, section 11.3.1]
    public var deltaToken: String?
    /// `$format`: `json`, `xml` or a media type; takes precedence over the header `Accept`. [OData-URL, section 5.1.9]
    public var format: String?
    /// `$id` of a request to `/$ref`: the entity whose navigation property it is.
    public var id: String?
    /// `$index`: the position of a member that is inserted into an ordered collection.
    public var index: Int?
    /// `$schemaversion`: the version of the metadata that the client knows; `*` is the current one.
    /// [OData-URL, section 5.1.12]
    public var schemaVersion: String?
    /// Options that are not the standard's, in their order, decoded.
    public var custom: [CustomOption] = []

    /// No options.
    public init() {}
}

/// One part of `$select`.
public enum SelectItem: Hashable, Sendable {
    /// `*`
    case all
    /// `Name`, `Address/City`: properties from the outside in.
    case property([EdmProperty])
    /// `Category`: its navigation link.
    case navigation(EdmNavigationProperty)
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
    case property([EdmStructuredType], EdmProperty)
}

/// One part of `$expand`.
public struct ExpandItem: Hashable, Sendable {
    /// Which related entities are included.
    public enum Form: Hashable, Sendable {
        /// `Items`: the entities with their properties.
        case entities
        /// `Items/$ref`
        case references
        /// `Items/$count`
        case count
    }

    /// Complex properties and casts on the way to the navigation property: `Address/Country`,
    /// `Model.Manager/Reports`.
    public var prefix: [PropertyPath.Step]
    /// The navigation property at the end of the path: `Items`
    public var navigation: EdmNavigationProperty
    /// The entity set that the related entities are in; nil where the model does not specify it.
    public var targetSet: EdmEntitySet?
    /// The target of the navigation property, or the derived type it is cast to.
    public var targetType: EdmStructuredType
    /// The entities, references to them, or only their number.
    public var form: Form
    /// How often the navigation property is followed, from each entity to the next; nil: once.
    public var levels: Levels?
    /// What is in the parentheses behind the path, but for `$levels`.
    public var options: QueryOptions

    /// `$levels`
    public enum Levels: Hashable, Sendable {
        /// `$levels=3`: so many times.
        case number(Int)
        /// `$levels=max`: as often as the service follows it. [OData-Protocol, section 11.2.5.2.1.1]
        case max
    }

    /// `navigation` without anything else: the entities themselves, once, with all structural properties.
    public init(
        prefix: [PropertyPath.Step] = [], navigation: EdmNavigationProperty, targetSet: EdmEntitySet?,
        targetType: EdmStructuredType, form: Form = .entities, levels: Levels? = nil,
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

    /// The type that the entity is cast to before the property: `Model.Manager` in `Model.Manager/Reports`. Casts of
    /// complex values are others.
    package var castType: EdmStructuredType? {
        var type: EdmStructuredType?
        for case .cast(let cast) in prefix.prefix(while: \.isCast) { type = cast }
        return type
    }
}

/// One part of `$orderby`.
public struct OrderItem: Hashable, Sendable {
    /// A primitive value: others have no order.
    public var expression: QueryExpression
    /// `desc`. Null is first in ascending order and last in descending order. [OData-Protocol, section 11.2.6.2]
    public var isDescending: Bool

    /// Ascending unless something else is said.
    public init(expression: QueryExpression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

/// `Price mul Quantity as Total`
///
/// [OData-URL, section 5.1.10]
public struct ComputeItem: Hashable, Sendable {
    /// Evaluated for each instance; it sees the aliases of the items before.
    public var expression: QueryExpression
    /// The name of the property that has the value; no property of the type is called so.
    public var alias: String
    /// Nil where the expression is `null`.
    public var type: EdmTypeReference?

    /// Checks nothing: ``QueryParser`` finds the type by the expression.
    public init(expression: QueryExpression, alias: String, type: EdmTypeReference?) {
        self.expression = expression
        self.alias = alias
        self.type = type
    }

    /// The type of the property that the alias names.
    public var propertyType: EdmTypeReference { type ?? .primitive(.untyped) }
}

/// `foo=bar` in a query.
public struct CustomOption: Hashable, Sendable {
    /// Without `$` or `@` at its start, which are the standard's. [OData-URL, section 5.2]
    public var name: String
    /// Empty where there was no `=`.
    public var value: String

    /// Neither is percent-encoded.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
