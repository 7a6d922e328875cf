import ODataModel

/// The properties of an entity or complex type, as the builder of queries names them: generated for typed entities.
///
/// ```swift
/// struct Fields: QueryFields {
///     let path: FieldPath
///     init(path: FieldPath) { self.path = path }
///     var name: Operand<String> { path.property("Name") }
///     var category: ToOne<Category> { path.toOne("Category") }
///     var products: ToMany<Product> { path.toMany("Products") }
/// }
/// ```
public protocol QueryFields: Sendable {
    /// The fields of an entity or complex value that stands at `path`.
    init(path: FieldPath)
    /// Where they stand.
    var path: FieldPath { get }
}

/// A type whose properties the builder knows.
public protocol QueryElement: Sendable {
    /// What names its properties in queries.
    associatedtype Fields: QueryFields
}

/// Where the fields of a type stand: at the entity itself, behind a relation, at the variable of a lambda.
public struct FieldPath: Hashable, Sendable {
    /// `Category/`, `a/`; empty for the entity itself.
    package let prefix: String
    /// The relations that lead here, each with the complex properties before it: `Items`, `Address/Country`.
    package let relations: [String]
    /// Whether it stands for the entities of the collection, or for what they have.
    private let isRoot: Bool

    package init(prefix: String = "", relations: [String] = [], isRoot: Bool = true) {
        (self.prefix, self.relations, self.isRoot) = (prefix, relations, isRoot)
    }

    /// What a name stands behind here: inside the filter of a count `$it/` leads back to the entity.
    private var start: String { isRoot && prefix.isEmpty && Nesting.isInsideCount ? "$it/" : prefix }

    /// The entities of the collection.
    public static let root = FieldPath()

    /// A property with one value: `Category/Name`
    public func property<Wrapped>(_ name: String) -> Operand<Wrapped> { Operand(start + name) }
    /// A property of a complex type.
    public func complex<Element>(_ name: String) -> ComplexOperand<Element> { ComplexOperand(inner(name)) }
    /// A navigation property to one entity.
    public func toOne<Element>(_ name: String) -> ToOne<Element> { ToOne(related(name)) }
    /// A navigation property to many entities.
    public func toMany<Element>(_ name: String) -> ToMany<Element> { ToMany(related(name)) }
    /// A property with a collection of primitive or enumeration values.
    public func collection<Member>(_ name: String) -> CollectionOperand<Member> { CollectionOperand(inner(name)) }
    /// A property with a collection of complex values.
    public func complexCollection<Element>(_ name: String) -> ComplexCollectionOperand<Element> {
        ComplexCollectionOperand(inner(name))
    }
    /// A stream property.
    public func stream(_ name: String) -> StreamField { StreamField(path: prefix + name) }

    private func inner(_ name: String) -> FieldPath {
        FieldPath(prefix: start + name + "/", relations: relations, isRoot: isRoot)
    }

    private func related(_ name: String) -> FieldPath {
        let before = relations.reduce(0) { $0 + $1.utf8.count + 1 }
        let step = String(decoding: prefix.utf8.dropFirst(before), as: UTF8.self) + name
        return FieldPath(prefix: start + name + "/", relations: relations + [step], isRoot: isRoot)
    }

    /// Without the slash at the end: `Category`
    package var text: String { String(prefix.dropLast()) }
}

/// Where a condition that is being built stands, as what it captures must know too.
enum Nesting {
    @TaskLocal static var isInsideCount = false
    @TaskLocal private static var lambdas = 0

    /// Builds the body of a lambda with a variable that no lambda around it has: `a`, `b`, …
    static func lambda(_ start: String, _ word: String, _ body: (String) -> Condition) -> Condition {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let variable = lambdas < letters.count ? String(letters[lambdas]) : "v\(lambdas)"
        let text = $lambdas.withValue(lambdas + 1) { body(variable).text }
        return Condition("\(start)\(word)(\(variable):\(text))")
    }
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
    public var isNull: Condition { Condition("\(path.text) eq null", .equality) }
}

/// Relations that can be expanded.
public protocol Relation<Element>: Sendable {
    /// The type of the related entities.
    associatedtype Element: QueryElement
    /// The relations from the entity on, one behind the other: `Items`, `Product`.
    var relations: [String] { get }
}

/// A relation to one entity.
@dynamicMemberLookup
public struct ToOne<Element: QueryElement>: Relation {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    public var relations: [String] { path.relations }

    /// `Category/Name`
    public subscript<Member>(dynamicMember member: KeyPath<Element.Fields, Member>) -> Member {
        Element.Fields(path: path)[keyPath: member]
    }

    /// `Category eq null`
    public var isNull: Condition { Condition("\(path.text) eq null", .equality) }
}

/// A relation to many entities.
///
/// [OData-URL, sections 5.1.1.13: Lambda Operators, and 4.8: Addressing the Count]
@dynamicMemberLookup
public struct ToMany<Element: QueryElement>: Relation {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    public var relations: [String] { path.relations }

    /// A relation of the related entities, for what is expanded.
    public subscript<Next: Relation>(dynamicMember member: KeyPath<Element.Fields, Next>) -> Related<Next.Element> {
        Related(relations: Element.Fields(path: path)[keyPath: member].relations)
    }

    /// `Items/any(a:a/Quantity gt 5)`
    public func contains(where predicate: (Element.Fields) -> Condition) -> Condition {
        lambda("any", predicate)
    }

    /// `Items/all(a:a/Quantity gt 5)`
    public func allSatisfy(_ predicate: (Element.Fields) -> Condition) -> Condition {
        lambda("all", predicate)
    }

    /// `not Items/any()`
    public var isEmpty: Condition { Condition("not \(path.prefix)any()", .unary) }

    /// `Items/$count`
    public var count: Operand<Int64> { Operand("\(path.prefix)$count") }

    /// `Items/$count($filter=Quantity gt 5)`
    public func count(where predicate: (Element.Fields) -> Condition) -> Operand<Int64> {
        let fields = Element.Fields(path: FieldPath(isRoot: false))
        let filter = Nesting.$isInsideCount.withValue(true) { predicate(fields).text }
        return Operand("\(path.prefix)$count($filter=\(filter))")
    }

    private func lambda(_ word: String, _ predicate: (Element.Fields) -> Condition) -> Condition {
        Nesting.lambda(path.prefix, word) { predicate(Element.Fields(path: FieldPath(prefix: $0 + "/"))) }
    }
}

/// A relation behind one to many entities: it can be expanded, and nothing else.
@dynamicMemberLookup
public struct Related<Element: QueryElement>: Relation {
    public let relations: [String]

    /// A relation of these entities in turn.
    public subscript<Next: Relation>(dynamicMember member: KeyPath<Element.Fields, Next>) -> Related<Next.Element> {
        let path = FieldPath(prefix: relations.map { $0 + "/" }.joined(), relations: relations)
        return Related<Next.Element>(relations: Element.Fields(path: path)[keyPath: member].relations)
    }
}

/// A collection of primitive or enumeration values.
public struct CollectionOperand<Member: PropertyValue>: Sendable {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    /// `Tags/any(a:a eq 'new')`
    public func contains(_ value: Member) -> Condition { contains { $0 == value } }

    /// `Tags/any(a:startswith(a,'n'))`
    public func contains(where predicate: (Operand<Member>) -> Condition) -> Condition {
        Nesting.lambda(path.prefix, "any") { predicate(Operand($0)) }
    }

    /// `Tags/all(a:startswith(a,'n'))`
    public func allSatisfy(_ predicate: (Operand<Member>) -> Condition) -> Condition {
        Nesting.lambda(path.prefix, "all") { predicate(Operand($0)) }
    }

    /// `Tags/$count`
    public var count: Operand<Int64> { Operand("\(path.prefix)$count") }
}

/// A collection of complex values.
public struct ComplexCollectionOperand<Element: QueryElement>: Sendable {
    let path: FieldPath
    init(_ path: FieldPath) { self.path = path }

    /// `Addresses/any(a:a/City eq 'Bern')`
    public func contains(where predicate: (Element.Fields) -> Condition) -> Condition {
        Nesting.lambda(path.prefix, "any") { predicate(Element.Fields(path: FieldPath(prefix: $0 + "/"))) }
    }

    /// `Addresses/$count`
    public var count: Operand<Int64> { Operand("\(path.prefix)$count") }
}
