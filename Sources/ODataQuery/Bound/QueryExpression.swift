import ODataModel

/// An expression of `$filter` or `$orderby`, checked against a model. Each case shows the text it stands for.
///
/// [OData-URL, section 5.1.1]
public indirect enum QueryExpression: Hashable, Sendable {
    /// `'abc'`, `12.5`, `2024-01-02`, `null`; the type is nil for `null`. The binder gives a literal the type of
    /// what it is compared with, where that loses nothing.
    case literal(EdmValue, EdmTypeReference?)
    /// `Price`, `Category/Name`, `o/Quantity`, `$it/Name`
    case path(PropertyPath)
    /// `not x`
    case not(QueryExpression)
    /// `-x`
    case negate(QueryExpression)
    /// `x eq y`, `x add y`
    case binary(BinaryOperator, QueryExpression, QueryExpression)
    /// `Name in ('a','b')`; with one item that is a collection, membership in it: `Name in Names`
    case inList(QueryExpression, [QueryExpression])
    /// `contains(Name,'a')`
    case call(CanonicalFunction, [QueryExpression])
    /// `Items/any(i:i/Quantity gt 5)`; without a predicate `Items/any()`
    case lambda(LambdaOperator, PropertyPath, variable: String, predicate: QueryExpression?)
    /// `Items/$count`, `Items/$count($filter=Quantity gt 5;$search=bike)`
    case count(PropertyPath, filter: QueryExpression? = nil, search: SearchExpression? = nil)
    /// `case(Price gt 10:'dear',true:'cheap')`; `null` where no condition holds.
    case conditional([Branch])
    /// `cast(Price,Edm.String)`, `cast(Model.Manager)`: nil for the instance itself.
    case cast(QueryExpression?, EdmTypeReference)
    /// `isof(Price,Edm.Decimal)`, `isof(Model.Manager)`
    case isOf(QueryExpression?, EdmTypeReference)
    /// `Model.Distance(to='x')` on the instance, or on an expression before it.
    case operation(OperationCall, on: QueryExpression?)
    /// `$root/People('Ada')/Name`
    case root(ResourcePath)
    /// Steps on what is not a plain path: `Model.Nearest()/Name`, `cast(Model.Manager)/Budget`.
    case member(QueryExpression, [PropertyPath.Step])
    /// `[1,Price]`: a collection that is not a constant.
    case list([QueryExpression])
    /// `{"Name":Name,"Age":2024 sub Born}`: an object that is not a constant, and the type that it names.
    case object([ObjectMember], EdmTypeReference)
    /// `isdefined(Product)`: whether the instance has the property. [OData-Aggregation, section 3.6.2]
    case isDefined(PropertyPath)
    /// `Items/aggregate(Quantity with sum)`, `$these/aggregate(Amount with average)`: what a collection is aggregated
    /// to; the alias is empty. [OData-Aggregation, section 3.6.1]
    case aggregate(PropertyPath, AggregateItem)
    /// `Aggregation.isroot(HierarchyNodes=$root/Orgs,HierarchyQualifier='Tree',Node=ID)`
    case hierarchy(HierarchyTest)

    /// A condition and the value of `case` where it holds.
    public struct Branch: Hashable, Sendable {
        /// Boolean; the conditions are tried in their order until one is true.
        public var condition: QueryExpression
        /// What `case` gives if ``condition`` is the first that is true.
        public var value: QueryExpression

        /// `Price gt 10:'dear'`. [OData-URL, section 5.1.1.12.1]
        public init(condition: QueryExpression, value: QueryExpression) {
            self.condition = condition
            self.value = value
        }
    }

    /// `"Name":Name`
    public struct ObjectMember: Hashable, Sendable {
        /// The name of a property of the type that the object is of.
        public var name: String
        /// What the property gets, evaluated for each instance.
        public var value: QueryExpression

        /// `"Age":2024 sub Born`. [OData-URL, section 5.1.1.14.2]
        public init(name: String, value: QueryExpression) {
            self.name = name
            self.value = value
        }
    }
}

/// `any` or `all`.
public enum LambdaOperator: String, Hashable, Sendable {
    /// Whether the predicate is true for at least one member; without a predicate, whether there are members.
    /// [OData-URL, section 5.1.1.13.1]
    case any
    /// Whether the predicate is true for every member, as it is for an empty collection.
    /// [OData-URL, section 5.1.1.13.2]
    case all
}

/// A path inside an expression, from a range variable over single-valued steps. Only the path of a lambda or a count
/// may end in a collection.
public struct PropertyPath: Hashable, Sendable {
    /// What a path starts from.
    public enum Variable: Hashable, Sendable {
        /// `$it`, `$this` or nothing: the instance that the expression is evaluated on.
        case it
        /// A lambda variable.
        case lambda(String)
        /// `$it` inside the options of `$expand` or `$select`: the instance of the resource path.
        case resource
        /// `$these`: the collection that a query option or transformation is applied to.
        case these
        /// `Aggregation.rollupnode(Position=2)`: the node that `rolluprecursive` makes a group for, from 1.
        case rollupNode(Int)
    }

    /// One segment on the way to the property.
    public enum Step: Hashable, Sendable {
        /// `Category/`
        case navigation(EdmNavigationProperty, EdmEntitySet?, EdmStructuredType)
        /// `Name`, or `Address/` on the way to a property of a complex value
        case property(EdmProperty)
        /// `Model.Manager/`: null where the instance is not of the type.
        case cast(EdmStructuredType)
        /// `(1)` after a collection of entities.
        case key(EntityKey)
        /// `$filter(Price gt 5)` after a collection.
        case filter(QueryExpression)
        /// `@Measures.Currency`, as written.
        case annotation(String)
    }

    /// What the path starts from; `$it` where nothing else is said.
    public var variable: Variable
    /// The entity set of the variable, where there is one.
    public var variableSet: EdmEntitySet?
    /// The type of the variable; nil for a lambda variable over primitive or enumeration values.
    public var variableType: EdmStructuredType?
    /// The type of a lambda variable over primitive or enumeration values.
    public var valueType: EdmTypeReference?
    /// The way from the variable to the value; empty for the variable itself.
    public var steps: [Step]

    /// Of a lambda variable over values that are not structured, set ``valueType`` afterwards.
    public init(
        variable: Variable = .it, variableSet: EdmEntitySet?, variableType: EdmStructuredType?, steps: consuming [Step]
    ) {
        self.variable = variable
        self.variableSet = variableSet
        self.variableType = variableType
        self.steps = steps
    }

    /// The type of the last step; of the variable if there are no steps.
    public var type: EdmTypeReference? {
        let start = variableType.map(\.reference) ?? valueType
        return Self.type(of: variable == .these ? start.map { .collection($0) } : start, after: steps)
    }

    /// The type at the end of `steps` from a value of the given type.
    static func type(of start: EdmTypeReference?, after steps: [Step]) -> EdmTypeReference? {
        var type = start
        for step in steps {
            switch step {
            case .property(let property):
                type =
                    type?.isCollection == true && !property.type.isCollection
                    ? .collection(property.type) : property.type
            case .navigation(let navigation, _, let target):
                let isCollection = navigation.isCollection || type?.isCollection == true
                type = isCollection ? .collection(target.reference) : target.reference
            case .cast(let cast): type = type?.isCollection == true ? .collection(cast.reference) : cast.reference
            case .key: if case .collection(let element) = type { type = element }
            case .filter: break
            case .annotation: type = .primitive(.untyped)
            }
        }
        return type
    }
}

extension PropertyPath.Step {
    package var isCast: Bool { if case .cast = self { true } else { false } }
}

/// A binary operator, in the order of its precedence group.
///
/// [OData-URL, sections 5.1.1.1 to 5.1.1.3]
public enum BinaryOperator: String, Hashable, Sendable {
    /// Of truth values. Null stands for one that is not known: `false and null` is false, `true or null` is true.
    case or, and
    /// Comparisons: `lt`, `le`, `gt` and `ge` need values that have an order, `has` asks for the flags of an
    /// enumeration.
    case eq, ne, lt, le, gt, ge, has
    /// Of numbers and durations, and of dates and instants with durations; the difference of two dates or instants is a
    /// duration.
    case add, sub
    /// `div` of integers is the integer without the rest, `divby` of them a decimal. `mod` is the rest, with the sign
    /// of the left side.
    case mul, div, divby, mod

    /// `or`, `and`: both sides are truth values.
    public var isLogical: Bool { self == .or || self == .and }
    /// `add`, `sub`, `mul`, `div`, `divby`, `mod`: the result is not a truth value.
    public var isArithmetic: Bool {
        switch self {
        case .add, .sub, .mul, .div, .divby, .mod: true
        default: false
        }
    }
    /// `eq` to `has`: the result is a truth value, and the sides are values of any kind.
    public var isComparison: Bool { !isLogical && !isArithmetic }
    /// 1 binds least.
    public var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .eq, .ne: 3
        case .lt, .le, .gt, .ge: 4
        case .add, .sub: 5
        case .mul, .div, .divby, .mod: 6
        case .has: 7
        }
    }
}

/// A canonical function.
///
/// [OData-URL, sections 5.1.1.5 to 5.1.1.9]
public enum CanonicalFunction: String, Hashable, Sendable, CaseIterable {
    /// Of strings and collections alike. Positions count from 0; `indexof` is -1 where nothing is found.
    /// [OData-URL, section 5.1.1.5]
    case concat, contains, endswith, indexof, length, startswith, substring
    /// Of strings. `matchesPattern` takes a regular expression as ECMAScript has them. [OData-URL, section 5.1.1.7]
    case matchesPattern, tolower, toupper, trim
    /// Parts of dates, times and instants; `fractionalseconds` is a decimal less than 1. `now`, `mindatetime` and
    /// `maxdatetime` are instants: the present one, the first and the last there is. [OData-URL, section 5.1.1.8]
    case date, day, fractionalseconds, hour, maxdatetime, mindatetime, minute, month, now, second, time
    /// `totaloffsetminutes`: the offset of an instant from UTC; `totalseconds`: a duration, with fractions of seconds;
    /// `year`: of a date or an instant. [OData-URL, section 5.1.1.8]
    case totaloffsetminutes, totalseconds, year
    /// To a whole number: up, down, and to the nearest, halves away from zero. [OData-URL, section 5.1.1.9]
    case ceiling, floor, round
    /// Whether all members of the second collection are in the first one: in any order, or in their order with gaps
    /// between them. [OData-URL, section 5.1.1.6]
    case hassubset, hassubsequence
    /// The shortest distance of two points, in the unit of their coordinate reference system.
    /// [OData-URL, section 5.1.1.11.1]
    case geoDistance = "geo.distance"
    /// Whether a point is in a polygon or on its border. [OData-URL, section 5.1.1.11.2]
    case geoIntersects = "geo.intersects"
    /// The length of a line, in the unit of its coordinate reference system. [OData-URL, section 5.1.1.11.3]
    case geoLength = "geo.length"
    /// `replace(Name,'a','b')`, which only V2 has. [OData V2, URI Conventions, section 4.5]
    case replace

    /// The functions of V4.
    package static let version4 = allCases.filter { $0 != .replace }
}
