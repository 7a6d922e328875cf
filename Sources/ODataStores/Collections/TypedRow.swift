import ODataModel
import ODataQuery
import Synchronization

/// The rows of one shape in a block, as one type reads them.
@usableFromInline
final class TypedRows: Sendable {
    @usableFromInline let source: RowSlotSource
    @usableFromInline let values: [RowSlot]
    let shape: RowShape
    /// The slot of each property; -1 for what the query did not ask for.
    @usableFromInline let slots: [Int]
    /// The type of each property that has a slot.
    @usableFromInline let types: [RowSlotType]
    /// The position among the shape's children of each navigation property; -1 for what was not expanded.
    let children: [Int]
    /// How the type of each navigation property reads the same block; nil before the first that is there.
    private let related: Mutex<[TypedRows?]>
    /// How types derived from the shape's read the same rows, by the names of the types.
    private let derived = Mutex<[EdmQualifiedName: TypedRows]>([:])
    var block: RowBlock { source.block }

    init(_ source: RowSlotSource, shape: RowShape, of type: any TypedEntity.Type) {
        (self.source, values, self.shape) = (source, source.block.slots, shape)
        let slots = type.propertyNames.map { shape.slot(of: $0) ?? -1 }
        self.slots = slots
        types = slots.map {
            RowSlotType($0 >= 0 ? shape.properties[$0].type : .primitive(.untyped), model: shape.model)
        }
        let own = shape.model.structuredType(named: type.typeName) ?? shape.type
        let children = type.navigationNames.map { shape.child(of: $0, as: own) ?? -1 }
        self.children = children
        related = Mutex(Array(repeating: nil, count: children.count))
    }

    /// Appends the entities of depth 0.
    func append<Element: TypedEntity>(to elements: inout [Element]) throws(ODataError) {
        let rows = block.rows
        for index in rows.indices where rows[index].depth == 0 && rows[index].change == .entity {
            elements.append(try element(rows[index], at: index))
        }
    }

    func element<Element: TypedEntity>(_ header: RowHeader, at index: Int) throws(ODataError) -> Element {
        var element = try Element(TypedRow(rows: self, index: index, header: header, typeName: Element.typeName))
        element.origin = EntityOrigin(self, index)
        return element
    }

    /// What reads the entities of a navigation property, whose position among the shape's children is `child`.
    func related(_ navigation: Int, child: Int, of type: any TypedEntity.Type) -> TypedRows {
        related.withLock { related in
            if let known = related[navigation] { return known }
            let rows = children(child, of: type)
            related[navigation] = rows
            return rows
        }
    }

    /// What reads the entities of a child of the shape.
    func children(_ child: Int, of type: any TypedEntity.Type) -> TypedRows {
        TypedRows(source, shape: shape.children[child].shape, of: type)
    }

    /// What reads the same rows as entities of another type.
    func rows(of type: any TypedEntity.Type) -> TypedRows {
        derived.withLock { derived in
            if let known = derived[type.typeName] { return known }
            let rows = TypedRows(source, shape: shape, of: type)
            derived[type.typeName] = rows
            return rows
        }
    }

    /// The entities of a child of the shape that belong to a row; nil where they were not expanded.
    func entities<Element: TypedEntity>(
        _ child: Int, below header: RowHeader, at index: Int, as related: TypedRows
    ) throws(ODataError) -> [Element]? {
        guard header.presentChildren & (1 << min(UInt64(child), 63)) != 0 else { return nil }
        var elements: [Element] = []
        var position = index + 1
        let all = block.rows
        while position < all.count, all[position].depth > header.depth {
            let row = all[position]
            if row.depth == header.depth + 1, Int(row.child) == child, row.change == .entity {
                elements.append(try related.element(row, at: position))
            }
            position += 1
        }
        return elements
    }

    /// The entity-id: as the store returned it, or else the canonical path.
    func id(of header: RowHeader) -> String? {
        if let sent = block.text(header.id) { return sent }
        guard let set = shape.entitySet, let key = block.key(row: header, shape: shape) else { return nil }
        return ResourcePath(set, key: key).url
    }
}

/// A row that a typed entity is made of. It lives as long as the call.
public struct TypedRow {
    @usableFromInline let rows: TypedRows
    let index: Int
    let header: RowHeader
    @usableFromInline let firstSlot: Int
    let typeName: EdmQualifiedName

    init(rows: TypedRows, index: Int, header: RowHeader, typeName: EdmQualifiedName) {
        (self.rows, self.index, self.header, self.typeName) = (rows, index, header, typeName)
        firstSlot = Int(header.firstSlot)
    }

    /// The value of a property that cannot be null.
    ///
    /// - Parameter property: The position among the type's ``TypedEntity/propertyNames``.
    /// - Throws: ``ODataError`` `invalidResponse`.
    @inlinable
    public func value<Wrapped: PropertyValue>(_ property: Int) throws(ODataError) -> Wrapped {
        guard let value: Wrapped = try optional(property) else { throw missing(property) }
        return value
    }

    /// The value of a property that may be null; nil too where the query did not ask for it.
    ///
    /// - Throws: ``ODataError`` `invalidResponse`.
    @inlinable
    public func optional<Wrapped: PropertyValue>(_ property: Int) throws(ODataError) -> Wrapped? {
        let slot = rows.slots[property]
        guard slot >= 0 else { return nil }
        let stored = rows.values[firstSlot + slot]
        guard stored.kind != .null, stored.kind != .absent else { return nil }
        if let value = Wrapped(slot: stored, in: rows.source, type: rows.types[property]) { return value }
        throw unfit(property, Wrapped.self)
    }

    /// A collection, which is never null.
    ///
    /// - Throws: ``ODataError`` `invalidResponse`, also where the query did not ask for it: an empty one would be written
    ///   back.
    @inlinable
    public func members<Member: PropertyValue>(_ property: Int) throws(ODataError) -> [Member] {
        guard rows.slots[property] >= 0 else { throw missing(property) }
        return try optional(property) ?? []
    }

    /// The entity that a navigation property to one leads to.
    public func one<Element: TypedEntity>(_ navigation: Int) throws(ODataError) -> ExpandedEntity<Element> {
        ExpandedEntity(entities: try many(navigation))
    }

    /// The entities that a navigation property leads to; nil where they were not expanded.
    public func many<Element: TypedEntity>(_ navigation: Int) throws(ODataError) -> [Element]? {
        let child = rows.children[navigation]
        guard child >= 0 else { return nil }
        let related = rows.related(navigation, child: child, of: Element.self)
        return try rows.entities(child, below: header, at: index, as: related)
    }
}
