import ODataModel

/// A collection of primitive or enumeration values.
///
/// [OData-URL, sections 5.1.1.13 and 4.8]
public struct CollectionOperand<Member: PropertyValue>: Sendable {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    /// `Tags/any(a:a eq 'new')`
    public func contains(_ value: Member) -> QueryCondition { contains { $0 == value } }

    /// `Tags/any(a:startswith(a,'n'))`
    public func contains(where predicate: (QueryOperand<Member>) -> QueryCondition) -> QueryCondition {
        path.lambda("any") { predicate($0.value()) }
    }

    /// `Tags/all(a:startswith(a,'n'))`
    public func allSatisfy(_ predicate: (QueryOperand<Member>) -> QueryCondition) -> QueryCondition {
        path.lambda("all") { predicate($0.value()) }
    }

    /// `not Tags/any()`
    public var isEmpty: QueryCondition { path.isEmpty }

    /// `Tags/$count`
    public var count: QueryOperand<Int64> { path.count }

    /// `Tags/$count($filter=startswith($this,'n'))`
    public func count(where predicate: (QueryOperand<Member>) -> QueryCondition) -> QueryOperand<Int64> {
        path.count { predicate($0.value()) }
    }
}

/// A collection of complex values.
///
/// [OData-URL, sections 5.1.1.13 and 4.8]
public struct ComplexCollectionOperand<Element: QueryElement>: Sendable {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    /// `Addresses/any(a:a/City eq 'Bern')`
    public func contains(where predicate: (Element.Fields) -> QueryCondition) -> QueryCondition {
        path.lambda("any") { predicate(Element.Fields(path: $0)) }
    }

    /// `Addresses/all(a:a/City eq 'Bern')`
    public func allSatisfy(_ predicate: (Element.Fields) -> QueryCondition) -> QueryCondition {
        path.lambda("all") { predicate(Element.Fields(path: $0)) }
    }

    /// `not Addresses/any()`
    public var isEmpty: QueryCondition { path.isEmpty }

    /// `Addresses/$count`
    public var count: QueryOperand<Int64> { path.count }

    /// `Addresses/$count($filter=City eq 'Bern')`
    public func count(where predicate: (Element.Fields) -> QueryCondition) -> QueryOperand<Int64> {
        path.count { predicate(Element.Fields(path: $0)) }
    }
}
