import ODataModel

/// Navigation properties that can be expanded.
public protocol NavigationField<Element>: Sendable {
    /// The type of the related entities.
    associatedtype Element: QueryElement
    /// The navigation properties from the entity on, one behind the other: `Items`, `Product`.
    var navigationPath: [String] { get }
}

/// A navigation property to one entity.
@dynamicMemberLookup
public struct ToOne<Element: QueryElement>: NavigationField {
    package let path: FieldPath
    package init(_ path: FieldPath) { self.path = path }

    public var navigationPath: [String] { path.navigationPath }

    /// `Category/Name`
    public subscript<Member>(dynamicMember member: KeyPath<Element.Fields, Member>) -> Member {
        Element.Fields(path: path)[keyPath: member]
    }

    /// `Category eq null`
    public var isNull: QueryCondition { path.isNull }
    /// `Category eq null`
    public static func == (left: ToOne, _: _OptionalNilComparisonType) -> QueryCondition { left.path.isNull }
    /// `Category ne null`
    public static func != (left: ToOne, _: _OptionalNilComparisonType) -> QueryCondition { left.path.isNotNull }
}

/// A navigation property to many entities.
///
/// In a condition about its members, those of collections around it and the entity that is asked for can be named as
/// well; not so in `count(where:)` inside of another, or in an expand: what OData cannot say there is refused with
/// `badRequest` when the store is asked.
///
/// [OData-URL, sections 5.1.1.13: Lambda Operators, and 4.8: Addressing the Count]
@dynamicMemberLookup
public struct ToMany<Element: QueryElement>: NavigationField {
    package let path: FieldPath
    package init(_ path: FieldPath) { self.path = path }

    public var navigationPath: [String] { path.navigationPath }

    /// A navigation property of the related entities, for what is expanded.
    public subscript<Next: NavigationField>(dynamicMember member: KeyPath<Element.Fields, Next>) -> ToManyPath<
        Next.Element
    > {
        ToManyPath(navigationPath: Element.Fields(path: path)[keyPath: member].navigationPath)
    }

    /// `Items/any(a:a/Quantity gt 5)`
    public func contains(where predicate: (Element.Fields) -> QueryCondition) -> QueryCondition {
        path.lambda("any") { predicate(Element.Fields(path: $0)) }
    }

    /// `Items/all(a:a/Quantity gt 5)`
    public func allSatisfy(_ predicate: (Element.Fields) -> QueryCondition) -> QueryCondition {
        path.lambda("all") { predicate(Element.Fields(path: $0)) }
    }

    /// `not Items/any()`
    public var isEmpty: QueryCondition { path.isEmpty }

    /// `Items/$count`
    public var count: QueryOperand<Int64> { path.count }

    /// `Items/$count($filter=Quantity gt 5)`
    public func count(where predicate: (Element.Fields) -> QueryCondition) -> QueryOperand<Int64> {
        path.count { predicate(Element.Fields(path: $0)) }
    }
}

/// A navigation property behind one to many entities: it can be expanded, and nothing else.
@dynamicMemberLookup
public struct ToManyPath<Element: QueryElement>: NavigationField {
    public let navigationPath: [String]

    /// A navigation property of these entities in turn.
    public subscript<Next: NavigationField>(dynamicMember member: KeyPath<Element.Fields, Next>) -> ToManyPath<
        Next.Element
    > {
        let path = FieldPath(prefix: navigationPath.map { $0 + "/" }.joined(), navigationPath: navigationPath)
        return ToManyPath<Next.Element>(navigationPath: Element.Fields(path: path)[keyPath: member].navigationPath)
    }
}
