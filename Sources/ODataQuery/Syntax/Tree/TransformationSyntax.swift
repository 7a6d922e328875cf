import ODataModel

/// A transformation of `$apply` as written.
package struct TransformationSyntax: Equatable {
    package indirect enum Kind: Equatable {
        case identity
        /// `aggregate(Amount with sum as Total)`
        case aggregate([AggregateSyntax])
        /// `groupby((Country,rollup(Year,Month)),aggregate(…))`
        case groupBy([GroupingSyntax], [TransformationSyntax])
        case filter(ExpressionSyntax)
        case search(OptionsSyntax.Search)
        case orderBy([OptionsSyntax.OrderItem])
        case top(Int)
        case skip(Int)
        case compute([ComputeSyntax])
        case concat([[TransformationSyntax]])
        /// `topcount(2,Amount)`
        case ranked(RankingTransformation, amount: ExpressionSyntax, value: ExpressionSyntax)
        /// `join(Sales as Sale,filter(…))`, `outerjoin(Sales as Sale)`
        case join([NameSyntax], alias: NameSyntax, [TransformationSyntax], isOuter: Bool)
        /// `nest(identity as All)`
        case nest([NestSyntax])
        /// `addnested(Sales,filter(Amount gt 3) as Big)`
        case addNested([NameSyntax], [NestSyntax])
        /// `expand(Sales,filter(Amount gt 3))`, of the first drafts of the extension
        case expand([NameSyntax], [[TransformationSyntax]])
        /// `ancestors($root/Organizations,OrgHierarchy,ID,filter(…),2,keep start)`
        case related(RelatedSyntax)
        /// `traverse($root/Organizations,OrgHierarchy,ID,preorder,filter(…),Name asc)`
        case traverse(TraverseSyntax)
        /// `Custom.Balance(Count=4)`
        case call(SegmentSyntax)
    }

    package var kind: Kind
    package var offset: Int

    package init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    package static func == (left: TransformationSyntax, right: TransformationSyntax) -> Bool { left.kind == right.kind }
}

/// `Amount with sum as Total`, `Sales/$count as Count`, `Forecast`
package struct AggregateSyntax: Equatable {
    /// `from Time,Product/Name with average`
    package struct From: Equatable {
        package var groups: [[NameSyntax]]
        package var method: NameSyntax?

        package init(groups: [[NameSyntax]], method: NameSyntax? = nil) {
            self.groups = groups
            self.method = method
        }
    }

    /// What is aggregated; `$count` is a path of one such segment.
    package var expression: ExpressionSyntax
    package var method: NameSyntax?
    package var from: [From]
    package var alias: NameSyntax?

    package init(expression: ExpressionSyntax, method: NameSyntax? = nil, from: [From], alias: NameSyntax? = nil) {
        self.expression = expression
        self.method = method
        self.from = from
        self.alias = alias
    }
}

/// `filter(Amount gt 3) as Big`
package struct NestSyntax: Equatable {
    package var transformations: [TransformationSyntax]
    package var alias: NameSyntax

    package init(transformations: [TransformationSyntax], alias: NameSyntax) {
        self.transformations = transformations
        self.alias = alias
    }
}

/// One part of `groupby`.
package indirect enum GroupingSyntax: Equatable {
    /// `Country`, `Customer/Country`
    case path([NameSyntax])
    /// `rollup(Country,City)`, `rollup($all,Country)`, `rollup(TimeHierarchy)`: one path may be the name of a levelled
    /// hierarchy.
    case rollup([[NameSyntax]], hasAll: Bool)
    /// `rolluprecursive($root/Organizations,OrgHierarchy,ID,ancestors(…))`
    case rollupRecursive(HierarchySyntax, [TransformationSyntax])
}

/// `$root/Organizations,OrgHierarchy,ID`
package struct HierarchySyntax: Equatable {
    /// A path from `$root`.
    package var nodes: ExpressionSyntax
    package var qualifier: NameSyntax
    /// The path to the node's identifier.
    package var property: [NameSyntax]

    package init(nodes: ExpressionSyntax, qualifier: NameSyntax, property: [NameSyntax]) {
        self.nodes = nodes
        self.qualifier = qualifier
        self.property = property
    }
}

/// `ancestors` and `descendants`.
package struct RelatedSyntax: Equatable {
    package var isAncestors: Bool
    package var hierarchy: HierarchySyntax
    /// What selects the start nodes, and what is done before: one or two sequences.
    package var transformations: [[TransformationSyntax]]
    package var distance: Int?
    package var keepsStart: Bool

    package init(
        isAncestors: Bool, hierarchy: HierarchySyntax, transformations: [[TransformationSyntax]], distance: Int? = nil,
        keepsStart: Bool
    ) {
        self.isAncestors = isAncestors
        self.hierarchy = hierarchy
        self.transformations = transformations
        self.distance = distance
        self.keepsStart = keepsStart
    }
}

/// `traverse`
package struct TraverseSyntax: Equatable {
    package var hierarchy: HierarchySyntax
    package var isPreorder: Bool
    package var transformations: [TransformationSyntax]
    package var orderBy: [OptionsSyntax.OrderItem]

    package init(
        hierarchy: HierarchySyntax, isPreorder: Bool, transformations: [TransformationSyntax],
        orderBy: [OptionsSyntax.OrderItem]
    ) {
        self.hierarchy = hierarchy
        self.isPreorder = isPreorder
        self.transformations = transformations
        self.orderBy = orderBy
    }
}
