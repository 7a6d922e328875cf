import ODataModel

/// Where the fields of a type stand: at the entity itself, behind a navigation property, at the variable of a lambda.
public struct FieldPath: Hashable, Sendable {
    /// What the path starts from.
    let scope: QueryScope
    /// `Category/`; empty for what it starts from.
    package let prefix: String
    /// The navigation properties that lead here, each with the complex properties before it: `Items`,
    /// `Address/Country`.
    package let navigationPath: [String]

    package init(scope: QueryScope = .root, prefix: String = "", navigationPath: [String] = []) {
        (self.scope, self.prefix, self.navigationPath) = (scope, prefix, navigationPath)
    }

    /// The entities of the collection.
    public static let root = FieldPath()

    /// A property with one value: `Category/Name`
    public func property<Wrapped>(_ name: String) -> QueryOperand<Wrapped> { QueryOperand(text(prefix + name)) }
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
        FieldPath(scope: scope, prefix: prefix + name + "/", navigationPath: navigationPath)
    }

    private func related(_ name: String) -> FieldPath {
        let before = navigationPath.reduce(0) { $0 + $1.utf8.count + 1 }
        let step = String(decoding: prefix.utf8.dropFirst(before), as: UTF8.self) + name
        return FieldPath(scope: scope, prefix: prefix + name + "/", navigationPath: navigationPath + [step])
    }

    /// The same as a derived type: `Zoo.Dog/`
    package func cast(to type: EdmQualifiedName) -> FieldPath { inner("\(type)") }

    private func text(_ path: String) -> ExpressionText { ExpressionText([.path(scope, path)]) }
    /// Without the slash at the end: `Category`
    private var text: ExpressionText { text(String(prefix.dropLast())) }
}

/// What is asked of a value or an entity as a whole.
extension FieldPath {
    /// `Category eq null`
    var isNull: QueryCondition { QueryCondition("\(text) eq null", .equality) }
    /// `Category ne null`
    var isNotNull: QueryCondition { QueryCondition("\(text) ne null", .equality) }
    /// `isof(Category,Zoo.Dog)`
    package func isOf(_ type: EdmQualifiedName) -> QueryCondition {
        QueryCondition("isof(\(text),\(type.description))")
    }
}

/// What is asked of a collection.
extension FieldPath {
    /// `Items/any(a:a/Quantity gt 5)`
    func lambda(_ word: String, _ body: (FieldPath) -> QueryCondition) -> QueryCondition {
        let member = QueryScope()
        let text = body(FieldPath(scope: member)).expression
        return QueryCondition(ExpressionText([.path(scope, prefix), .lambda(word, member, text)]))
    }

    /// `not Items/any()`
    var isEmpty: QueryCondition { QueryCondition("not \(text(prefix + "any()"))", .unary) }
    /// `Items/$count`
    var count: QueryOperand<Int64> { QueryOperand(text(prefix + "$count")) }

    /// `Items/$count($filter=Quantity gt 5)`
    func count(where predicate: (FieldPath) -> QueryCondition) -> QueryOperand<Int64> {
        let member = QueryScope()
        let filter = predicate(FieldPath(scope: member)).expression
        return QueryOperand(ExpressionText([.path(scope, prefix), .count(member, filter)]))
    }

    /// The value itself, which has no properties.
    func value<Wrapped>() -> QueryOperand<Wrapped> { QueryOperand(text) }
}
