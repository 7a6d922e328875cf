/// What the slots of a row stand for: the structural properties that a query asks for, and what it expands.
///
/// A shape is made once per query and shared by all its rows. Media streams and stream properties have no slot.
public final class RowShape: Sendable {
    /// An expanded navigation property and the shape of its entities.
    public struct Child: Sendable {
        /// The property that is expanded; one in a complex property is named by its path: `Address/Country`.
        public let navigation: EdmNavigationProperty
        /// What the rows of the related entities look like.
        public let shape: RowShape
        /// Whether `$count=true` was asked for the expanded collection.
        public let wantsCount: Bool
        /// Whether only references (`$expand=Nav/$ref`) are asked for.
        public let isReference: Bool
        /// Whether only the link is asked for: the members of a `$crossjoin` row that are not expanded.
        public let isLink: Bool
        /// Whether only the number of related entities is asked for (`$expand=Nav/$count`): there are no rows, and
        /// ``wantsCount`` is true.
        public let isCountOnly: Bool
        /// The derived type before the property (`$expand=NS.Car/Owner`): only entities of it have the child. Nil for
        /// all that have the property.
        public let cast: EdmStructuredType?

        /// An expanded navigation property, by default with its entities and without their count.
        public init(
            navigation: EdmNavigationProperty, shape: RowShape, wantsCount: Bool = false, isReference: Bool = false,
            isLink: Bool = false, isCountOnly: Bool = false, cast: EdmStructuredType? = nil
        ) {
            self.cast = cast
            self.navigation = navigation
            self.shape = shape
            self.wantsCount = wantsCount
            self.isReference = isReference
            self.isLink = isLink
            self.isCountOnly = isCountOnly
        }
    }

    /// The model that all types of the shape are from.
    public let model: EdmModel
    /// The set that the entities belong to; nil where the model does not specify it.
    public let entitySet: EdmEntitySet?
    /// The declared type of the rows; after `$apply` one made up of what it gives.
    public let type: EdmStructuredType
    /// The types that rows can have: ``type`` first, then those derived from it. ``RowHeader/type`` is a position here.
    public let types: [EdmStructuredType]
    /// The slot with the dynamic properties of open types, as the text of one JSON object; nil if there are none.
    public let dynamicSlot: Int?
    /// The property of each slot: those of all ``types``. A slot whose property the row's type does not have is absent.
    /// Key properties that the query did not select come last: see ``hiddenFrom``.
    ///
    /// A property named `Customer/Country`, as `$apply` makes them, is nested: see ``path(of:)``.
    public let properties: [EdmProperty]
    /// Slots from here on are there for the reader's own use (keys, mostly) and are not part of the result.
    public let hiddenFrom: Int
    /// What is expanded: its rows follow their entity in this order, and ``RowHeader/child`` is a position here.
    public let children: [Child]
    /// The stream properties whose control information is part of the result; nil for all of them. The stream of a
    /// media entity always is.
    public let streams: Set<String>?
    private let slots: [String: Int]
    private let childIndex: [String: Int]
    /// Whether a child is one of some types only.
    package let hasCasts: Bool

    /// A shape. Without `properties` it has all of `type` but streams, without `hiddenFrom` no slot is hidden, without
    /// `types` rows are of `type` only; else `type` is first in them.
    public init(
        model: EdmModel, entitySet: EdmEntitySet?, type: EdmStructuredType, properties: [EdmProperty]? = nil,
        hiddenFrom: Int? = nil, children: [Child] = [], streams: Set<String>? = nil, types: [EdmStructuredType]? = nil,
        dynamicSlot: Int? = nil
    ) {
        self.model = model
        self.entitySet = entitySet
        self.type = type
        self.properties = properties ?? type.properties.filter { !$0.isStream }
        self.hiddenFrom = hiddenFrom ?? self.properties.count
        self.children = children
        self.streams = streams
        self.types = types ?? [type]
        self.dynamicSlot = dynamicSlot
        slots = Dictionary(self.properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
        hasCasts = children.contains { $0.cast != nil }
        childIndex = Dictionary(children.enumerated().map { ($1.navigation.name, $0) }) { first, _ in first }
    }

    /// The shapes of all that is expanded, in preorder, each with the positions of children that lead to it.
    package var related: [(path: [Int], shape: RowShape)] {
        children.enumerated().flatMap { index, child in
            [([index], child.shape)] + child.shape.related.map { ([index] + $0.path, $0.shape) }
        }
    }

    /// The slot of the named property.
    public func slot(of property: String) -> Int? { slots[property] }

    /// Where the property of `slot` is in an entity: `["Customer", "Country"]` for one named `Customer/Country`.
    /// Casts (`Shop.Manager/Budget`) have no place there.
    public func path(of slot: Int) -> [String] {
        properties[slot].name.split(separator: "/").filter { !$0.contains(".") }.map(String.init)
    }

    /// The type of a row.
    public func type(of header: RowHeader) -> EdmStructuredType {
        types.indices.contains(Int(header.type)) ? types[Int(header.type)] : type
    }

    /// The position in ``children`` of the named navigation property.
    public func child(of navigation: String) -> Int? { childIndex[navigation] }

    /// The position in ``children`` of the navigation property that entities of `type` have under this name.
    public func child(of navigation: String, as type: EdmStructuredType) -> Int? {
        guard hasCasts else { return childIndex[navigation] }
        return children.indices.first { has(child: $0, named: navigation, type) }
    }

    /// Of the children with the name of `child`, the one that entities of `type` have.
    package func child(_ child: Int, as type: EdmStructuredType) -> Int? {
        guard hasCasts, children.indices.contains(child) else { return child }
        let name = children[child].navigation.name
        if has(child: child, named: name, type) { return child }
        return children.indices.first { has(child: $0, named: name, type) }
    }

    private func has(child: Int, named name: String, _ type: EdmStructuredType) -> Bool {
        let child = children[child]
        return child.navigation.name == name && child.cast.map(type.isKind) ?? true
    }

    /// The slots of the key properties, in the order of the key; for one that is in a complex property that of the
    /// complex one. Nil if one has no slot.
    public var keySlots: [Int]? {
        let found = type.keyPaths.compactMap { path in path.first.flatMap { slots[$0] } }
        return found.count == type.key.count && !found.isEmpty ? found : nil
    }
}
