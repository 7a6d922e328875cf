import ODataModel
import ODataQuery

extension EntityCollection {
    /// How long the list of keys or values in a URL may get, in bytes: what many services take.
    private static var listLength: Int { 3_000 }

    /// The entities of a navigation property of one entity, as a collection of their own: `Customers(1)/Orders`.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity without a key.
    public func children<Child: CollectionElement>(
        of parent: Element, _ navigation: KeyPath<Element.Fields, ToMany<Child>>
    ) throws -> EntityCollection<Child> {
        try children(of: parent, named: name(of: navigation))
    }

    /// The entity of a navigation property to one, by a request of its own: `Products(1)/Category`; nil where there is
    /// none.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity without a key.
    public func child<Child: CollectionElement>(
        of parent: Element, _ navigation: KeyPath<Element.Fields, ToOne<Child>>
    ) async throws -> Child? {
        let names = Element.Fields(path: .root)[keyPath: navigation].navigationPath
        let children: EntityCollection<Child> = try children(of: parent, named: names.joined(separator: "/"))
        return try await children.oneIfAny()
    }

    /// The entities of a navigation property of several entities, for each of them in turn, by one request: the keys of
    /// the parents are listed in it, so that some hundred of them are several requests.
    public func children<Child: TypedEntity>(
        of parents: [Element], _ navigation: KeyPath<Element.Fields, ToMany<Child>>
    ) async throws -> [[Child]] where Element: TypedEntity {
        try await children(of: parents, navigation) { $0 }
    }

    /// The same with some of the entities, or with more of each: `children(of: orders, \.items) { $0.top(3) }`.
    public func children<Child: TypedEntity>(
        of parents: [Element], _ navigation: KeyPath<Element.Fields, ToMany<Child>>,
        _ options: (ExpandedCollection<Child>) -> ExpandedCollection<Child>
    ) async throws -> [[Child]] where Element: TypedEntity {
        let name = name(of: navigation)
        guard let index = Element.navigationNames.firstIndex(of: name) else {
            throw ODataError(.badRequest, "\(name) is not a navigation property of \(Element.typeName).")
        }
        let options = options(ExpandedCollection(query: BuiltQuery(path: ""))).query
        return try await children(of: parents, named: name, options) { parent in
            guard case .many(let related) = parent.related(at: index) else { return [] }
            return related.compactMap { $0 as? Child }
        }
    }

    func name<Child>(of navigation: KeyPath<Element.Fields, ToMany<Child>>) -> String {
        Element.Fields(path: .root)[keyPath: navigation].navigationPath.joined(separator: "/")
    }

    func children<Child>(of parent: Element, named name: String) throws -> EntityCollection<Child> {
        let path = "\(try location(of: parent))/\(percentEncoded(name, allowing: Set("/".utf8)))"
        return EntityCollection<Child>(collections, BuiltQuery(path: path))
    }

    /// - Parameters:
    ///   - options: What is asked of the children.
    ///   - related: Takes the children out of a parent.
    func children<Child: CollectionElement>(
        of parents: [Element], named name: String, _ options: BuiltQuery, _ related: (Element) -> [Child]
    ) async throws -> [[Child]] {
        let keys = parents.map { isSingleton ? nil : $0.entityKey }
        var found: [EntityKey: [Child]] = [:]
        var rest = keys.compactMap(\.self).withoutRepetitions[...]
        while !rest.isEmpty {
            let (condition, count) = Self.condition(rest)
            rest = rest.dropFirst(count)
            var asked = EntityCollection(collections, BuiltQuery(path: query.path))
            asked.query.others = query.context
            asked.query.restrict(condition)
            asked.query.expand([name]) { $0 = options }
            for parent in try await asked.findAll() {
                if let key = parent.entityKey { found[key] = related(parent) }
            }
        }
        var children: [[Child]] = []
        for (parent, key) in zip(parents, keys) {
            if let key {
                children.append(found[key] ?? [])
            } else {
                // As in an offline store before the upload.
                var own: EntityCollection<Child> = try self.children(of: parent, named: name)
                let path = own.query.path
                own.query = options
                own.query.path = path
                children.append(try await own.findAll())
            }
        }
        return children
    }

    /// The entities with equal values in another collection, for each entity here in turn, where no navigation property
    /// leads from one to the other. Two requests; more where some hundred different values are to be listed.
    ///
    /// `where`, `orderBy` and `expand` of `other` hold for what is joined.
    ///
    /// ```swift
    /// for (item, products) in try await items.joined(with: products, on: \.productID, equals: \.id) { … }
    /// ```
    ///
    /// - Throws: ``ODataError`` `badRequest` where `other` has `top` or `skip`: which entities these leave would go by the
    ///   values that are asked for.
    public func joined<Other: CollectionElement, Wrapped>(
        with other: EntityCollection<Other>, on field: KeyPath<Element.Fields, QueryOperand<Wrapped>>,
        equals otherField: KeyPath<Other.Fields, QueryOperand<Wrapped>>
    ) async throws -> [(element: Element, others: [Other])] {
        let name = text(field)
        let otherOperand = Other.Fields(path: .root)[keyPath: otherField]
        for path in [name, otherOperand.text] where path.contains("/") {
            throw ODataError(.badRequest, "Entities are joined on properties of their own, not on \(path).")
        }
        guard other.query.top == nil, other.query.skip == nil else {
            throw ODataError(
                .badRequest, "Entities are not joined with a part of \(other.query.path): no top, no skip.")
        }
        let elements = try await findAll()
        let values = elements.compactMap { $0[name].flatMap { $0.isNull ? nil : Wrapped(edm: $0) } }
        var rest = values.withoutRepetitions[...]
        var found: [EdmValue: [Other]] = [:]
        while !rest.isEmpty {
            let values = rest.prefix(Self.count(of: rest) { Self.length(otherOperand.text, $0.edm) })
            rest = rest.dropFirst(values.count)
            for element in try await other.where({ _ in otherOperand.isIn(values) }).findAll() {
                found[element[otherOperand.text] ?? .null, default: []].append(element)
            }
        }
        return elements.map { ($0, $0[name].flatMap { $0.isNull ? nil : found[$0] } ?? []) }
    }

    /// `ID in (1,2)`, or for keys of several properties `OrderID eq 1 and Line eq 2 or …`, of as many as fit.
    static func condition(_ keys: ArraySlice<EntityKey>) -> (condition: QueryCondition, count: Int) {
        let count = count(of: keys) { $0.components.reduce(0) { $0 + length($1.name, $1.value) } }
        let taken = keys.prefix(count)
        if let name = taken.first?.components.first?.name, taken.allSatisfy({ $0.components.count == 1 }) {
            let field: QueryOperand<EdmValue> = FieldPath.root.property(name)
            return (field.isIn(taken.compactMap(\.values.first)), count)
        }
        let conditions = taken.map { key -> QueryCondition? in
            key.components.map { component -> QueryCondition in
                let field: QueryOperand<EdmValue> = FieldPath.root.property(component.name)
                return field == component.value
            }.reduce(nil) { known, next in known.map { $0 && next } ?? next }
        }
        return (conditions.compactMap { $0 }.reduce(nil, either) ?? QueryCondition("false"), count)
    }

    /// How many of them fit into one URL.
    private static func count<Member>(of members: ArraySlice<Member>, _ length: (Member) -> Int) -> Int {
        var sum = 0
        let end = members.firstIndex { member in
            sum += length(member)
            return sum > listLength
        }
        return Swift.max(1, members[..<(end ?? members.endIndex)].count)
    }

    /// The bytes of `OrderID eq 1 and ` in a URL: V2 has no shorter list.
    private static func length(_ name: String, _ value: EdmValue) -> Int {
        percentEncoded("\(name) eq \(value.urlLiteral) and ").utf8.count
    }

    private static func either(_ left: QueryCondition?, _ right: QueryCondition) -> QueryCondition? {
        left.map { $0 || right } ?? right
    }
}

extension Array where Element: Hashable {
    /// Each member once, in the order in which they come.
    fileprivate var withoutRepetitions: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
