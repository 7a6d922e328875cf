import ODataModel

/// The value of `$apply`.
///
/// [OData-Aggregation, section 3]
public struct ApplyExpression: Hashable, Sendable {
    /// A transformation and the type of the instances it gives.
    ///
    /// Such a type may have properties that the model does not know: aliases, and the properties that `groupby` reaches
    /// through single-valued paths, whose name is the path (`Customer/Country`); formats nest them again.
    public struct Step: Hashable, Sendable {
        /// Transforms what the step before gives; that of the first step, the collection that the path leads to.
        public var transformation: SetTransformation
        /// The type of the instances afterwards: later steps and options find their names in it.
        public var type: EdmStructuredType

        /// Checks nothing: ``QueryParser`` makes steps whose type is that of what they give.
        public init(_ transformation: SetTransformation, type: EdmStructuredType) {
            self.transformation = transformation
            self.type = type
        }
    }

    /// From left to right, as slashes divide them in the URL.
    public var steps: [Step]

    /// Checks nothing: ``QueryParser`` makes steps each of which fits the one before.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The type of the resulting instances.
    public var type: EdmStructuredType? { steps.last?.type }
}

/// A set transformation.
///
/// [OData-Aggregation, sections 3.2 to 3.6 and 6.2]
public indirect enum SetTransformation: Hashable, Sendable {
    /// `identity`
    case identity
    /// `aggregate(Amount with sum as Total,$count as Number)`
    case aggregate([AggregateItem])
    /// `groupby((Country,rollup(Year,Month)),aggregate(…))`
    case groupBy([GroupingItem], [ApplyExpression.Step])
    /// `filter(Amount gt 5)`
    case filter(QueryExpression)
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
    case concat([[ApplyExpression.Step]])
    /// `topcount(2,Amount)`: the amount, then the value that orders.
    case ranked(RankingTransformation, amount: QueryExpression, value: QueryExpression)
    /// `join(Sales as Sale,aggregate(…))`, `outerjoin(…)`
    case join(PropertyPath, alias: String, steps: [ApplyExpression.Step], isOuter: Bool)
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
    /// What is done with the instances, or for `addnested` with the related ones, before they are nested.
    public var steps: [ApplyExpression.Step]
    /// The name of the property that has the result: `Big`
    public var alias: String

    /// `steps as alias`: one part of `nest` or `addnested`.
    public init(_ steps: [ApplyExpression.Step], alias: String) {
        self.steps = steps
        self.alias = alias
    }
}

/// A transformation that keeps the first or last instances of an order.
///
/// [OData-Aggregation, section 3.3]
public enum RankingTransformation: String, Hashable, Sendable, CaseIterable {
    /// The greatest values: so many instances, as few as reach that sum, or as few as reach that percentage of the
    /// whole sum. [OData-Aggregation, section 3.3.1]
    case topcount, topsum, toppercent
    /// The same with the least values. [OData-Aggregation, section 3.3.1]
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
        case expression(QueryExpression)
        /// `$count`, `Sales/$count`: the path to the collection; nil for the input instances.
        case count(PropertyPath?)
    }

    /// What is made out of the values.
    public enum Method: Hashable, Sendable {
        /// `min` and `max` keep the type of the values; `sum` of integers is an `Edm.Int64`, their `average` an
        /// `Edm.Decimal`. `countDistinct` reports how many different values there are, as `Edm.Int64`.
        /// [OData-Aggregation, section 3.2.1.3]
        case sum, min, max, average, countDistinct
        /// `Custom.concat`
        case custom(String)

        /// As it is behind `with`: `countdistinct`, or the qualified name of a custom method.
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
        /// There is one value for each combination of what these paths lead to: `Time/Month`
        public var groups: [PropertyPath]
        /// Makes one value out of those of all groups.
        public var method: Method

        /// `from groups with method`. [OData-Aggregation, section 3.2.1.5]
        public init(groups: [PropertyPath], method: Method) {
            self.groups = groups
            self.method = method
        }
    }

    /// The values that are aggregated, or the instances that are counted.
    public var source: Source
    /// Nil for counts.
    public var method: Method?
    /// What is done with the results of ``method`` for groups, from the inside out; empty where there is one result.
    public var from: [From]
    /// The name of the resulting property; empty inside the function `aggregate`.
    public var alias: String
    /// The type of the result, after all of ``from``.
    public var type: EdmTypeReference

    /// Checks nothing: ``QueryParser`` finds the type by source and method.
    public init(_ source: Source, method: Method?, from: [From] = [], alias: String, type: EdmTypeReference) {
        self.source = source
        self.method = method
        self.from = from
        self.alias = alias
        self.type = type
    }
}
