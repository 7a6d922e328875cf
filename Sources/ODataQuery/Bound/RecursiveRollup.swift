import ODataModel

/// `rolluprecursive(…)`: a group for each node of a hierarchy, of the instances that are related to it or to a node
/// below it.
///
/// [OData-Aggregation, section 6.3]
public struct RecursiveRollup: Hashable, Sendable {
    /// Has the nodes that groups are made for.
    public var hierarchy: RecursiveHierarchy
    /// From an instance to the identifiers of its nodes.
    public var node: PropertyPath

    /// `rolluprecursive($root/Orgs,Tree,Org/ID)`: the hierarchy, and the path from an instance.
    public init(hierarchy: RecursiveHierarchy, node: PropertyPath) {
        self.hierarchy = hierarchy
        self.node = node
    }

    /// What an instance has of the node of its group.
    ///
    /// [OData-Aggregation, section 6.2.2: the definition of σ]
    package enum Mark {
        /// All that the node has: the hierarchy is one of the instances themselves.
        case node
        /// The navigation property that leads to the node.
        case navigation(EdmNavigationProperty)
        /// The identifier of the node.
        case identifier(EdmProperty)
        /// The node or its identifier inside the objects and collections that the path leads through.
        case nested(EdmProperty)
    }

    package var mark: Mark {
        let steps = node.steps.filter { !$0.isCast }
        let isOwn = node.variable == .it && node.variableSet == hierarchy.nodes.entitySet
        if isOwn, steps == hierarchy.identifier.steps.filter({ !$0.isCast }) { return .node }
        let isSingle = node.type?.isCollection == false
        guard isWhole || !isSingle, let first = steps.first else {
            return .identifier(EdmProperty(name: node.name, type: node.type ?? .untyped))
        }
        switch first {
        case .navigation(let navigation, _, _):
            if isSingle, wrapping.count == 1 { return .navigation(navigation) }
            return .nested(
                EdmProperty(name: navigation.name, type: navigation.isCollection ? .collection(.untyped) : .untyped))
        case .property(let property):
            return .nested(
                EdmProperty(name: property.name, type: property.type.isCollection ? .collection(.untyped) : .untyped))
        default: return .identifier(EdmProperty(name: node.name, type: node.type ?? .untyped))
        }
    }

    /// Whether the instances are nodes themselves.
    package var isOfNodes: Bool { if case .node = mark { true } else { false } }

    /// Whether the path leads over navigation properties to the identifier of a node, which is there as a whole then.
    package var isWhole: Bool {
        let navigationSteps = node.steps.prefix { $0.isNavigation || $0.isCast }
        return navigationSteps.contains(where: \.isNavigation)
            && Array(node.steps.dropFirst(navigationSteps.count)) == hierarchy.identifier.steps
    }

    /// The steps around the node or its identifier, from the outside in.
    package var wrapping: [PropertyPath.Step] {
        (isWhole ? node.steps.prefix { $0.isNavigation || $0.isCast } : node.steps[...]).filter { !$0.isCast }
    }

    /// The node, which is expanded where the request does not say how.
    var expanded: ExpandItem? {
        guard case .navigation = mark, case .navigation(let navigation, let set, let type)? = node.steps.first else {
            return nil
        }
        return ExpandItem(navigation: navigation, targetSet: set, targetType: type)
    }
}

extension HierarchyTraversal {
    /// What distinguishes the node of an instance, where it is not just the one related entity.
    package var rollup: RecursiveRollup { RecursiveRollup(hierarchy: hierarchy, node: node) }
}

extension PropertyPath.Step {
    fileprivate var isNavigation: Bool { if case .navigation = self { true } else { false } }
}
