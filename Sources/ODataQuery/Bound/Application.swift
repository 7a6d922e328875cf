import ODataModel

/// The value of `$apply`.
///
/// [OData-Aggregation, section 3]
public struct Application: Hashable, Sendable {
    /// A transformation and the type of the instances it gives.
    ///
    /// Such a type may have properties that the model does not know: aliases, and the properties that `groupby` reaches
    /// through single-valued paths, whose name is the path (`Customer/Country`); formats nest them again.
    public struct Step: Hashable, Sendable {
        public var transformation: Transformation
        public var type: StructuredType

        public init(_ transformation: Transformation, type: StructuredType) {
            self.transformation = transformation
            self.type = type
        }
    }

    public var steps: [Step]

    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The type of the resulting instances.
    public var type: StructuredType? { steps.last?.type }
}

/// A set transformation.
///
/// [OData-Aggregation, sections 3.2 to 3.6 and 6.2]
public indirect enum Transformation: Hashable, Sendable {
    /// `identity`
    case identity
    /// `aggregate(Amount with sum as Total,$count as Number)`
    case aggregate([AggregateItem])
    /// `groupby((Country,rollup(Year,Month)),aggregate(…))`
    case groupBy([GroupingItem], [Application.Step])
    /// `filter(Amount gt 5)`
    case filter(Expression)
    /// `search(bike)`
    case search(SearchExpression)
    /// `orderby(Amount desc)`
    case orderBy([OrderItem])
    /// `skip(5)`
    case skip(Int)
    /// `top(5)`
    case top(Int)
    /// `compute(Price mul Quantity as Total)`
    case compute([ComputeItem])
    /// `concat(topcount(2,Amount),aggregate(Amount))`
    case concat([[Application.Step]])
    /// `topcount(2,Amount)`: the amount, then the value that orders.
    case ranked(Ranking, amount: Expression, value: Expression)
    /// `join(Sales as Sale,aggregate(…))`, `outerjoin(…)`
    case join(PropertyPath, alias: String, steps: [Application.Step], isOuter: Bool)
    /// `nest(groupby((Name)) as Names)`
    case nest([NestItem])
    /// `addnested(Sales,filter(Amount gt 3) as Big)`
    case addNested(PropertyPath, [NestItem])
    /// `ancestors($root/Orgs,Tree,ID,filter(Name eq 'US'),2,keep start)`, `descendants(…)`
    case related(RelatedNodes)
    /// `traverse($root/Orgs,Tree,ID,preorder,Name desc)`
    case traverse(HierarchyTraversal)
    /// `Self.TopCountAndBalance(Count=4)`: a function bound to the input collection.
    case operation(OperationCall)
}

/// `filter(Amount gt 3) as Big`
public struct NestItem: Hashable, Sendable {
    public var steps: [Application.Step]
    public var alias: String

    public init(_ steps: [Application.Step], alias: String) {
        self.steps = steps
        self.alias = alias
    }
}

/// A transformation that keeps the first or last instances of an order.
///
/// [OData-Aggregation, section 3.3]
public enum Ranking: String, Hashable, Sendable, CaseIterable {
    case topcount, topsum, toppercent
    case bottomcount, bottomsum, bottompercent
}

/// One part of `groupby`.
public enum GroupingItem: Hashable, Sendable {
    /// `Country`, `Customer/Country`
    case path(PropertyPath)
    /// `rollup(Country,City)`; with `$all` first the grand total is included.
    case rollup([PropertyPath], hasAll: Bool)
    /// `rolluprecursive($root/Orgs,Tree,Org/ID)`
    case recursive(RecursiveRollup)
}

/// One part of `aggregate`.
///
/// [OData-Aggregation, section 3.2.1]
public struct AggregateItem: Hashable, Sendable {
    /// What the method is applied to.
    public enum Source: Hashable, Sendable {
        /// `Amount mul Price`, `Sales/Amount`: evaluated for each instance (of the collection a path leads through).
        case expression(Expression)
        /// `$count`, `Sales/$count`: the path to the collection; nil for the input instances.
        case count(PropertyPath?)
    }

    /// What is made out of the values.
    public enum Method: Hashable, Sendable {
        case sum, min, max, average, countDistinct
        /// `Custom.concat`
        case custom(String)

        public var name: String {
            switch self {
            case .sum: "sum"
            case .min: "min"
            case .max: "max"
            case .average: "average"
            case .countDistinct: "countdistinct"
            case .custom(let name): name
            }
        }
    }

    /// `from Time/Month with average`
    public struct From: Hashable, Sendable {
        public var groups: [PropertyPath]
        public var method: Method

        public init(groups: [PropertyPath], method: Method) {
            self.groups = groups
            self.method = method
        }
    }

    public var source: Source
    /// Nil for counts.
    public var method: Method?
    public var from: [From]
    /// The name of the resulting property; empty inside the function `aggregate`.
    public var alias: String
    public var type: TypeReference

    public init(_ source: Source, method: Method?, from: [From] = [], alias: String, type: TypeReference) {
        self.source = source
        self.method = method
        self.from = from
        self.alias = alias
        self.type = type
    }
}
