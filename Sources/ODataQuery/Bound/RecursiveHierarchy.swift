import ODataModel

/// A recursive hierarchy: the entities that are its nodes, and how each leads to its parents.
///
/// [OData-Aggregation, section 5.5.2]
public struct RecursiveHierarchy: Hashable, Sendable {
    /// The collection of the nodes, from `$root`.
    public var nodes: ResourcePath
    /// The qualifier of the annotation `Aggregation.RecursiveHierarchy` of their type.
    public var qualifier: String
    /// `NodeProperty`: from a node to its identifier.
    public var identifier: PropertyPath
    /// `ParentNavigationProperty`: from a node to its parents.
    public var parents: PropertyPath
    /// The transformations that leave a part of the nodes; empty for all of them.
    public var restriction: [ApplyExpression.Step]

    /// Checks nothing: ``QueryParser`` takes the two paths from the annotation.
    public init(
        nodes: ResourcePath, qualifier: String, identifier: PropertyPath, parents: PropertyPath,
        restriction: [ApplyExpression.Step] = []
    ) {
        self.nodes = nodes
        self.qualifier = qualifier
        self.identifier = identifier
        self.parents = parents
        self.restriction = restriction
    }

    /// The namespace of the functions.
    static let vocabulary = "Org.OData.Aggregation.V1"
}

/// `Aggregation.isdescendant(HierarchyNodes=$root/Orgs,HierarchyQualifier='Tree',Node=ID,Ancestor='EMEA')`
///
/// [OData-Aggregation, section 5.5.2.1]
public struct HierarchyTest: Hashable, Sendable {
    /// The functions, by their names.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `isnode`: it is in the hierarchy; `isroot`: without a parent; `isleaf`: without a child; `issibling`: with
        /// the same parent, or both roots; `isancestor`, `isdescendant`: it is above or below the other node.
        case isnode, isroot, isleaf, issibling, isancestor, isdescendant
    }

    /// What is asked about ``node``.
    public var kind: Kind
    /// `HierarchyNodes` and `HierarchyQualifier`: where the nodes stand.
    public var hierarchy: RecursiveHierarchy
    /// The identifier of the node that is asked about.
    public var node: QueryExpression
    /// `Other`, `Descendant` or `Ancestor`: the identifier of the node that it is compared with.
    public var other: QueryExpression?
    /// `MaxDistance`: from 1; nil for any distance.
    public var maxDistance: Int?
    /// `IncludeSelf`
    public var includesSelf: Bool

    /// `other` is for `issibling`, `isancestor` and `isdescendant`, distance and `includesSelf` for the last two.
    public init(
        _ kind: Kind, hierarchy: RecursiveHierarchy, node: QueryExpression, other: QueryExpression? = nil,
        maxDistance: Int? = nil, includesSelf: Bool = false
    ) {
        self.kind = kind
        self.hierarchy = hierarchy
        self.node = node
        self.other = other
        self.maxDistance = maxDistance
        self.includesSelf = includesSelf
    }
}

extension HierarchyTest.Kind {
    /// The name of the parameter for the other node.
    var other: String? {
        switch self {
        case .isnode, .isroot, .isleaf: nil
        case .issibling: "Other"
        case .isancestor: "Descendant"
        case .isdescendant: "Ancestor"
        }
    }

    /// Whether there are `MaxDistance` and `IncludeSelf`.
    var hasDistance: Bool { self == .isancestor || self == .isdescendant }
}

/// `ancestors(…)` and `descendants(…)`: the instances whose node is above or below that of another one.
///
/// [OData-Aggregation, section 6.2.1]
public struct RelatedNodes: Hashable, Sendable {
    /// True for `ancestors`: the nodes above. False for `descendants`: the nodes below.
    public var isAncestors: Bool
    /// Reports what is above and what is below.
    public var hierarchy: RecursiveHierarchy
    /// From an instance to the identifiers of its nodes.
    public var node: PropertyPath
    /// The transformations that leave the instances to start at.
    public var start: [ApplyExpression.Step]
    /// From 1; nil for any distance.
    public var maxDistance: Int?
    /// `keep start`
    public var keepsStart: Bool

    /// At any distance and without the instances to start at, unless something else is said.
    public init(
        isAncestors: Bool, hierarchy: RecursiveHierarchy, node: PropertyPath, start: [ApplyExpression.Step],
        maxDistance: Int? = nil, keepsStart: Bool = false
    ) {
        self.isAncestors = isAncestors
        self.hierarchy = hierarchy
        self.node = node
        self.start = start
        self.maxDistance = maxDistance
        self.keepsStart = keepsStart
    }
}

/// `traverse(…)`: the instances in the order of the nodes of a hierarchy.
///
/// [OData-Aggregation, section 6.2.2]
public struct HierarchyTraversal: Hashable, Sendable {
    /// Has the nodes, in whose order the instances come.
    public var hierarchy: RecursiveHierarchy
    /// From an instance to the identifier of its node.
    public var node: PropertyPath
    /// Whether a node comes before its descendants, not after them.
    public var isPreorder: Bool
    /// The order of nodes with the same parent.
    public var orderBy: [OrderItem]

    /// Nodes with the same parent come in no particular order unless `orderBy` gives one.
    public init(
        hierarchy: RecursiveHierarchy, node: PropertyPath, isPreorder: Bool, orderBy: [OrderItem] = []
    ) {
        self.hierarchy = hierarchy
        self.node = node
        self.isPreorder = isPreorder
        self.orderBy = orderBy
    }

    /// The navigation properties at the start of ``node``.
    package var navigationSteps: ArraySlice<PropertyPath.Step> {
        node.steps.prefix { if case .navigation = $0 { true } else { false } }
    }

    /// Whether the path leads over to-one navigation properties to the identifier of a related node, or is one of own
    /// properties.
    package var isToOneNode: Bool {
        guard node.type?.isCollection == false else { return false }
        let rest = node.steps.dropFirst(navigationSteps.count)
        guard !navigationSteps.isEmpty else {
            return !rest.contains { if case .navigation = $0 { true } else { false } }
        }
        return Array(rest) == hierarchy.identifier.steps
    }

    /// The related nodes, which are expanded where the request does not say how.
    var expanded: ExpandItem? {
        navigationSteps.reversed().reduce(nil) { inner, step in
            guard case .navigation(let navigation, let set, let type) = step else { return inner }
            var item = ExpandItem(navigation: navigation, targetSet: set, targetType: type)
            item.options.expand = inner.map { [$0] } ?? []
            return item
        }
    }
}
