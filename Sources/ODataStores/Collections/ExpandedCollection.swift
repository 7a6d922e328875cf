import ODataModel
import ODataQuery

/// What is asked of the entities of a navigation property that is expanded.
///
/// ```swift
/// categories.expand(\.products) { $0.where { $0.price > 20 }.orderBy(\.name).top(3) }
/// ```
///
/// [OData-URL, section 5.1.3]
public struct ExpandedCollection<Element: QueryElement>: Sendable {
    var query: BuiltQuery

    /// Only those for which the condition holds.
    public func `where`(_ condition: (Element.Fields) -> QueryCondition) -> ExpandedCollection {
        changed { $0.restrict(condition(Element.Fields(path: .root))) }
    }

    /// Only those in which the expression is found: `chair AND NOT "blue paint"`.
    ///
    /// [OData-URL, section 5.1.8]
    public func search(_ expression: String) -> ExpandedCollection { changed { $0.find(expression) } }

    /// In this order, after the orders that were given before.
    public func orderBy<Wrapped>(
        _ field: KeyPath<Element.Fields, QueryOperand<Wrapped>>, descending: Bool = false
    ) -> ExpandedCollection {
        orderBy(descending: descending) { $0[keyPath: field] }
    }

    /// In the order of an expression, after the orders that were given before.
    public func orderBy<Wrapped>(
        descending: Bool = false, _ expression: (Element.Fields) -> QueryOperand<Wrapped>
    ) -> ExpandedCollection {
        let operand = expression(Element.Fields(path: .root))
        return changed { $0.order(by: operand, descending: descending) }
    }

    /// At most so many of each entity.
    public func top(_ count: Int) -> ExpandedCollection { changed { $0.limit(count) } }

    /// Without the first ones of each entity.
    public func skip(_ count: Int) -> ExpandedCollection { changed { $0.skip = Swift.max(count, 0) } }

    /// With the related entities of the related entities, and so on, by the same navigation property: `$levels=3`,
    /// which are those of the entity, theirs, and the ones of these. Nil for all there are: `$levels=max`.
    ///
    /// [OData-URL, section 5.1.3.3]
    public func levels(_ count: Int? = nil) -> ExpandedCollection {
        changed { $0.levels = count.map { "\(Swift.max($0, 1))" } ?? "max" }
    }

    /// With the entities of a navigation property of theirs.
    public func expand<Related: NavigationField>(_ navigation: KeyPath<Element.Fields, Related>) -> ExpandedCollection {
        expand(navigation) { $0 }
    }

    /// With some of the entities of a navigation property of theirs.
    public func expand<Related: NavigationField>(
        _ navigation: KeyPath<Element.Fields, Related>,
        _ options: (ExpandedCollection<Related.Element>) -> ExpandedCollection<Related.Element>
    ) -> ExpandedCollection {
        let path = Element.Fields(path: .root)[keyPath: navigation].navigationPath
        return expand(path, options)
    }

    private func expand<Other>(
        _ path: [String], _ options: (ExpandedCollection<Other>) -> ExpandedCollection<Other>
    ) -> ExpandedCollection {
        changed { query in
            query.expand(path) { $0 = options(ExpandedCollection<Other>(query: $0)).query }
        }
    }

    /// With query options as they stand in the parentheses of `$expand`, raw or percent-encoded:
    /// `$filter=Quantity gt 5;$top=3`. Text that is not a list of options is refused with `badRequest` when the store
    /// is asked.
    public func options(_ text: String) -> ExpandedCollection { changed { $0.add(nestedOptions: text) } }

    func changed(_ change: (inout BuiltQuery) -> Void) -> ExpandedCollection {
        var copy = self
        change(&copy.query)
        return copy
    }
}

/// Navigation properties by their names, for entities whose type only the service knows.
extension ExpandedCollection where Element.Fields == DynamicFields {
    /// With the entities of a navigation property of theirs, or of one behind it: `Items/Product`.
    public func expand(_ navigation: String) -> ExpandedCollection { expand(navigation) { $0 } }

    /// With some of the entities of a navigation property of theirs.
    public func expand(
        _ navigation: String,
        _ options: (ExpandedCollection<DynamicElement>) -> ExpandedCollection<DynamicElement>
    ) -> ExpandedCollection {
        expand(navigation.split(separator: "/").map(String.init), options)
    }
}
