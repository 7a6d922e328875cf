import ODataModel

/// A path that starts at an entity set, a singleton or the call of an operation.
///
/// [OData-URL, section 4]
public struct ResourcePath: Hashable, Sendable {
    /// The first segment.
    public enum Root: Hashable, Sendable {
        /// `Products`; singletons too.
        case entitySet(EdmEntitySet)
        /// `$1`: the entity that the request with this content id of the same batch made or changed.
        case contentID(String, EdmEntitySet)
        /// `TopProducts(count=3)`: a function import or an action import.
        case operation(OperationCall)
        /// `$crossjoin(Products,Sales)`: rows with one navigation-like member for each set.
        case crossjoin([EdmEntitySet])
        /// `$all`: every entity of the service.
        case all
    }

    /// What follows the first segment, piece by piece.
    public enum Segment: Hashable, Sendable {
        /// `(1)`, `(OrderID=1,ProductID=2)`
        case key(EntityKey)
        /// `/Category`; the target set is nil where the model binds none.
        case navigation(EdmNavigationProperty, EdmEntitySet?)
        /// `/Name`, `/Address`, `/Photo` (a stream property)
        case property(EdmProperty)
        /// `/Model.Manager`
        case cast(EdmStructuredType)
        /// `/Model.Top(count=3)`, `/Model.Approve`: an operation bound to what comes before.
        case operation(OperationCall)
        /// `/$filter(Price gt 5)`
        case filter(QueryExpression)
        /// `/$each`: each member of the collection, as the target of an update or delete.
        case each
        /// `/0`, `/-1`: a member of an ordered collection by its position; negative from the end.
        case index(Int)
        /// `/$count`
        case count
        /// `/$value`
        case value
        /// `/$ref`
        case ref
    }

    /// `Orders` in `Orders(1)/Items`.
    public var root: Root
    /// `(1)` and `/Items` in `Orders(1)/Items`; empty for the root alone.
    public var segments: [Segment]

    /// Checks nothing: ``QueryParser`` makes paths that fit a model.
    public init(root: Root, segments: [Segment] = []) {
        self.root = root
        self.segments = segments
    }

    /// The path of an entity set, or of one of its entities. A singleton is named without a key, also where its type
    /// has one.
    public init(_ set: EdmEntitySet, key: EntityKey? = nil) {
        root = .entitySet(set)
        guard let key, !key.components.isEmpty, set.kind == .entitySet else {
            segments = []
            return
        }
        segments = [.key(key)]
    }
}

extension ResourcePath {
    /// What a path stands for.
    public enum Target: Hashable, Sendable {
        /// Entities, of an entity set, a navigation property, `$all` or `$crossjoin`.
        case collection
        /// At most one entity: a key, a position, a singleton or a single-valued navigation property leads to it.
        case entity
        /// A primitive or complex property, also one with a collection of values.
        case property(EdmProperty)
        /// A stream property. The stream of a media entity is ``entity`` with the suffix `$value`.
        case stream(EdmProperty)
        /// The result of an operation, other than entities.
        case value(EdmTypeReference)
        /// An action without a result.
        case nothing
    }

    /// The entity set the path starts at; for operations that of their result, where known.
    public var rootSet: EdmEntitySet? {
        switch root {
        case .entitySet(let set), .contentID(_, let set): set
        case .operation(let call): call.entitySet
        case .crossjoin, .all: nil
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
    public var entitySet: EdmEntitySet? {
        var set: EdmEntitySet? = rootSet
        for segment in segments {
            switch segment {
            case .navigation(_, let target): set = target
            case .operation(let call): set = call.entitySet
            default: break
            }
        }
        return set
    }

    /// What ``resource`` stands for.
    public var target: Target {
        var target: Target =
            switch root {
            case .entitySet(let set): set.kind == .singleton ? .entity : .collection
            case .contentID: .entity
            case .operation(let call): call.target
            case .crossjoin, .all: .collection
            }
        for segment in segments {
            switch segment {
            case .key: target = .entity
            case .index:
                if case .property(let property) = target, case .collection(let element) = property.type {
                    target = .value(element)
                } else {
                    target = .entity
                }
            case .operation(let call): target = call.target
            case .navigation(let navigation, _): target = navigation.isCollection ? .collection : .entity
            case .property(let property): target = property.isStream ? .stream(property) : .property(property)
            case .cast, .count, .value, .ref, .filter, .each: break
            }
        }
        return target
    }

    /// The type of what ``resource`` stands for; nil for what has none of its own.
    public var valueType: EdmTypeReference? {
        var type: EdmTypeReference? =
            switch root {
            case .entitySet(let set) where set.kind == .entitySet: .collection(set.type.reference)
            case .entitySet(let set), .contentID(_, let set): set.type.reference
            case .operation(let call): call.operation.result?.type
            case .crossjoin, .all: nil
            }
        for segment in segments {
            switch segment {
            case .key, .index: if case .collection(let element) = type { type = element }
            case .navigation(let navigation, let set):
                let target = set?.type.reference ?? .entity(navigation.target)
                type = navigation.isCollection ? .collection(target) : target
            case .property(let property): type = property.type
            case .cast(let cast): type = type?.isCollection == true ? .collection(cast.reference) : cast.reference
            case .operation(let call): type = call.operation.result?.type
            case .count, .value, .ref, .filter, .each: break
            }
        }
        return type
    }

    /// The path with one more segment.
    public func appending(_ segment: Segment) -> ResourcePath {
        ResourcePath(root: root, segments: segments + [segment])
    }
}

/// An overload of an operation and what it is called with.
///
/// [OData-URL, sections 4.4 to 4.5]
public struct OperationCall: Hashable, Sendable {
    /// The value of one parameter.
    public struct Argument: Hashable, Sendable {
        /// The name of the parameter in the declaration.
        public var name: String
        /// An alias (`@p`) is here as the expression that it was given.
        public var value: QueryExpression

        /// `count=3`
        public init(name: String, value: QueryExpression) {
            self.name = name
            self.value = value
        }
    }

    /// The overload whose parameters and binding type fit the call.
    public var operation: EdmOperationDeclaration
    /// The name of the function import or action import; nil for bound operations.
    public var importName: String?
    /// The arguments in the URL, without the binding parameter.
    public var arguments: [Argument]
    /// The set of the entities that the operation gives, where the model specifies it.
    public var entitySet: EdmEntitySet?

    /// The call of a bound operation, or of an import if it has an `importName`.
    public init(
        _ operation: EdmOperationDeclaration, importName: String? = nil, arguments: [Argument] = [],
        entitySet: EdmEntitySet? = nil
    ) {
        self.operation = operation
        self.importName = importName
        self.arguments = arguments
        self.entitySet = entitySet
    }

    /// What a path that ends with the call stands for.
    public var target: ResourcePath.Target {
        switch operation.result?.type {
        case .entity: .entity
        case .collection(.entity): .collection
        case let type?: .value(type)
        case nil: .nothing
        }
    }
}
