import ODataModel
import ODataQuery

/// The rows of a block, on their way to typed entities. Used by one task.
@usableFromInline
final class TypedRows {
    /// The rows of one shape, as one type reads them.
    @usableFromInline
    final class Plan {
        let shape: RowShape
        /// The slot of each property; -1 for what the query did not ask for.
        @usableFromInline let slots: [Int]
        /// The type of each property that has a slot.
        @usableFromInline let types: [SlotType]
        /// The position among the shape's children of each relation; -1 for what was not expanded.
        let children: [Int]
        var related: [Plan?]

        init(_ shape: RowShape, of type: any TypedEntity.Type) {
            self.shape = shape
            slots = type.propertyNames.map { shape.slot(of: $0) ?? -1 }
            types = slots.map {
                SlotType($0 >= 0 ? shape.properties[$0].type : .primitive(.untyped), model: shape.model)
            }
            children = type.relationNames.map { shape.child(of: $0) ?? -1 }
            related = Array(repeating: nil, count: children.count)
        }
    }

    @usableFromInline let source: SlotSource
    @usableFromInline let slots: [Slot]
    var block: RowBlock { source.block }
    private let shape: RowShape

    init(_ block: RowBlock, shape: RowShape) {
        (source, slots, self.shape) = (SlotSource(block), block.slots, shape)
    }

    /// The entities of depth 0.
    func elements<Element: TypedEntity>(_ type: Element.Type) throws(ODataError) -> [Element] {
        let plan = Plan(shape, of: type)
        var elements: [Element] = []
        elements.reserveCapacity(block.rows.count)
        let rows = block.rows
        for index in rows.indices where rows[index].depth == 0 && rows[index].change == .entity {
            elements.append(try element(rows[index], at: index, plan))
        }
        return elements
    }

    func element<Element: TypedEntity>(
        _ header: RowHeader, at index: Int, _ plan: Plan
    ) throws(ODataError) -> Element {
        let row = TypedRow(
            rows: self, plan: plan, index: index, header: header, firstSlot: Int(header.firstSlot),
            typeName: Element.typeName)
        var element = try Element(row)
        element.origin = EntityOrigin(element, row: row)
        return element
    }
}

/// A row that a typed entity is made of. It lives as long as the call.
public struct TypedRow {
    @usableFromInline let rows: TypedRows
    @usableFromInline let plan: TypedRows.Plan
    let index: Int
    let header: RowHeader
    @usableFromInline let firstSlot: Int
    let typeName: QualifiedName

    /// As the store told it.
    var sentID: String? { header.id.isNone ? nil : rows.block.text(header.id) }
    /// Its canonical path where the store told none.
    private var id: String? {
        if let sentID { return sentID }
        guard let set = plan.shape.entitySet, let key = rows.block.key(row: header, shape: plan.shape) else {
            return nil
        }
        return ResourcePath(set, key: key).url
    }
    var etag: String? { header.etag.isNone ? nil : rows.block.text(header.etag) }
    var media: RowMedia? { header.media > 0 ? rows.block.media[Int(header.media) - 1] : nil }

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
        let slot = plan.slots[property]
        guard slot >= 0 else { return nil }
        let stored = rows.slots[firstSlot + slot]
        guard stored.kind != .null, stored.kind != .absent else { return nil }
        if let value = Wrapped(slot: stored, in: rows.source, type: plan.types[property]) { return value }
        throw unfit(property, Wrapped.self)
    }

    /// A collection, which is never null.
    ///
    /// - Throws: ``ODataError`` `invalidResponse`, also where the query did not ask for it: an empty one would be written
    ///   back.
    @inlinable
    public func members<Member: PropertyValue>(_ property: Int) throws(ODataError) -> [Member] {
        guard plan.slots[property] >= 0 else { throw missing(property) }
        return try optional(property) ?? []
    }

    /// The entity that a navigation property to one leads to.
    public func one<Element: TypedEntity>(_ relation: Int) throws(ODataError) -> Expanded<Element> {
        Expanded(entities: try many(relation))
    }

    /// The entities that a navigation property leads to; nil where they were not expanded.
    public func many<Element: TypedEntity>(_ relation: Int) throws(ODataError) -> [Element]? {
        let child = plan.children[relation]
        guard child >= 0, header.presentChildren & (1 << min(UInt64(child), 63)) != 0 else { return nil }
        let related = plan.related[relation] ?? TypedRows.Plan(plan.shape.children[child].shape, of: Element.self)
        plan.related[relation] = related
        var elements: [Element] = []
        var position = index + 1
        let all = rows.block.rows
        while position < all.count, all[position].depth > header.depth {
            let row = all[position]
            if row.depth == header.depth + 1, Int(row.child) == child, row.change == .entity {
                elements.append(try rows.element(row, at: position, related))
            }
            position += 1
        }
        return elements
    }

    private func name(_ property: Int) -> String {
        let slot = plan.slots[property]
        return slot >= 0 ? plan.shape.properties[slot].name : "number \(property)"
    }

    @usableFromInline
    func missing(_ property: Int) -> ODataError {
        let slot = plan.slots[property]
        let reason = slot >= 0 ? "\(name(property)) is null or missing" : "A property that it needs was not asked for"
        return ODataError(
            .invalidResponse,
            "\(id ?? "An entity") is no \(typeName): \(reason). If the service has changed, generate its types anew.")
    }

    @usableFromInline
    func unfit(_ property: Int, _ type: Any.Type) -> ODataError {
        ODataError(
            .invalidResponse,
            "\(name(property)) of \(id ?? "an entity") of \(typeName) is no \(type). If the service has changed, "
                + "generate its types anew.")
    }
}
