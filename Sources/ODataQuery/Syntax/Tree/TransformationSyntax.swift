import ODataModel

/// A transformation of `$apply` as written.
struct TransformationSyntax: Equatable {
    indirect enum Kind: Equatable {
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

    var kind: Kind
    var offset: Int

    static func == (left: TransformationSyntax, right: TransformationSyntax) -> Bool { left.kind == right.kind }
}

/// `Amount with sum as Total`, `Sales/$count as Count`, `Forecast`
struct AggregateSyntax: Equatable {
    /// `from Time,Product/Name with average`
    struct From: Equatable {
        var groups: [[NameSyntax]]
        var method: NameSyntax?
    }

    /// What is aggregated; `$count` is a path of one such segment.
    var expression: ExpressionSyntax
    var method: NameSyntax?
    var from: [From]
    var alias: NameSyntax?
}

/// `filter(Amount gt 3) as Big`
struct NestSyntax: Equatable {
    var transformations: [TransformationSyntax]
    var alias: NameSyntax
}

/// One part of `groupby`.
indirect enum GroupingSyntax: Equatable {
    /// `Country`, `Customer/Country`
    case path([NameSyntax])
    /// `rollup(Country,City)`, `rollup($all,Country)`, `rollup(TimeHierarchy)`: one path may be the name of a levelled
    /// hierarchy.
    case rollup([[NameSyntax]], hasAll: Bool)
    /// `rolluprecursive($root/Organizations,OrgHierarchy,ID,ancestors(…))`
    case rollupRecursive(HierarchySyntax, [TransformationSyntax])
}

/// `$root/Organizations,OrgHierarchy,ID`
struct HierarchySyntax: Equatable {
    /// A path from `$root`.
    var nodes: ExpressionSyntax
    var qualifier: NameSyntax
    /// The path to the node's identifier.
    var property: [NameSyntax]
}

/// `ancestors` and `descendants`.
struct RelatedSyntax: Equatable {
    var isAncestors: Bool
    var hierarchy: HierarchySyntax
    /// What selects the start nodes, and what is done before: one or two sequences.
    var transformations: [[TransformationSyntax]]
    var distance: Int?
    var keepsStart: Bool
}

/// `traverse`
struct TraverseSyntax: Equatable {
    var hierarchy: HierarchySyntax
    var isPreorder: Bool
    var transformations: [TransformationSyntax]
    var orderBy: [OptionsSyntax.OrderItem]
}
