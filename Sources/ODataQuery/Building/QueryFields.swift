import ODataModel

/// The properties of an entity or complex type, as the builder of queries names them: generated for typed entities.
///
/// ```swift
/// struct Fields: QueryFields {
///     let path: FieldPath
///     init(path: FieldPath) { self.path = path }
///     var name: QueryOperand<String> { path.property("Name") }
///     var category: ToOne<Category> { path.toOne("Category") }
///     var products: ToMany<Product> { path.toMany("Products") }
/// }
/// ```
public protocol QueryFields: Sendable {
    /// The fields of an entity or complex value that is at `path`.
    init(path: FieldPath)
    /// Where they stand.
    var path: FieldPath { get }
}

/// A type whose properties the builder knows.
public protocol QueryElement: Sendable {
    /// What names its properties in queries.
    associatedtype Fields: QueryFields
}

/// A stream property: it has no value that a query could compare.
public struct StreamField: Hashable, Sendable {
    /// `Photo`
    public let path: String
}

/// A property of a complex type.
@dynamicMemberLookup
public struct ComplexOperand<Element: QueryElement>: Sendable {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    /// `Address/City`
    public subscript<Member>(dynamicMember member: KeyPath<Element.Fields, Member>) -> Member {
        Element.Fields(path: path)[keyPath: member]
    }

    /// `Address eq null`
    public var isNull: QueryCondition { path.isNull }
    /// `Address eq null`
    public static func == (left: ComplexOperand, _: _OptionalNilComparisonType) -> QueryCondition { left.path.isNull }
    /// `Address ne null`
    public static func != (left: ComplexOperand, _: _OptionalNilComparisonType) -> QueryCondition {
        left.path.isNotNull
    }

    /// Its properties as those of a derived type, which are null where the value has another: `Address/Shop.Abroad/Zone`
    ///
    /// [OData-URL, section 5.1.1.15]
    public func `as`<Derived: ComplexPropertyValue & QueryElement>(_: Derived.Type) -> Derived.Fields {
        Derived.Fields(path: path.cast(to: Derived.typeName))
    }

    /// `isof(Address,Shop.Abroad)`
    ///
    /// [OData-URL, section 5.1.1.10.2]
    public func `is`<Derived: ComplexPropertyValue & QueryElement>(_: Derived.Type) -> QueryCondition {
        path.isOf(Derived.typeName)
    }
}
