import ODataModel
import ODataQuery

/// An entity as a structure with a property for each of the entity type's: generated from the metadata by
/// `odata generate`.
///
/// A structure that was read knows what it was: ``CollectionElement/changes`` has the properties with other values,
/// ``original`` the entity as it was read, ``revert()`` takes the changes back. Properties that the type does not know,
/// as those that the service has got since, dynamic ones and those of `$compute`, are had by their names; those of
/// open types can be set so, see ``OpenTypedEntity``. ``as(_:)`` gives the properties of a derived type.
public protocol TypedEntity: CollectionElement {
    /// `Shop.Product`
    static var typeName: EdmQualifiedName { get }
    /// The names of the properties, streams excepted; their positions are what ``value(at:)`` and rows go by.
    static var propertyNames: [String] { get }
    /// The names of the key properties, in the order of the metadata; for those in complex properties their aliases.
    static var keyNames: [String] { get }
    /// Where the values of ``keyNames`` are, in the same order: `Address/Code`. By default they are properties.
    static var keyPaths: [String] { get }
    /// The names of the navigation properties, likewise.
    static var navigationNames: [String] { get }

    /// - Throws: ``ODataError`` `invalidResponse` where a property that cannot be null is missing or null, and for values
    ///   of another type than the property's.
    init(_ row: TypedRow) throws(ODataError)

    /// The value of a property; nil where it has none yet: keys and values that the service makes.
    func value(at index: Int) -> EdmValue?

    /// The related entities that are here.
    func related(at index: Int) -> RelatedEntities?

    /// What was read; nil for an entity that was made here.
    var origin: EntityOrigin<Self>? { get set }

    /// Properties that the structure does not know, as they are to be sent: none but in ``OpenTypedEntity``.
    var additional: EdmComplexValue { get }
}

/// Entities behind a navigation property.
public enum RelatedEntities {
    /// Of a navigation property of at most one.
    case one(any CollectionElement)
    /// Of one of many, in the order in which they were read.
    case many([any CollectionElement])
}

extension TypedEntity {
    public var entityID: String? { origin?.id }
    public var firstID: String? { origin?.firstID }
    public var entityTag: String? { origin?.etag }
    public var additional: EdmComplexValue { EdmComplexValue() }
    public static var keyPaths: [String] { keyNames }
    /// As it was read, which is done anew here; nil for one that was made here.
    public var original: Self? { origin?.entity }

    /// Takes all changes back.
    public mutating func revert() {
        if let original { self = original }
    }

    /// The value of the named property: of one that the structure does not know as it was read.
    public subscript(name: String) -> EdmValue? {
        guard let index = Self.propertyNames.firstIndex(of: name) else {
            return additional[name] ?? origin?.properties[name]
        }
        return value(at: index)
    }

    public var entityKey: EntityKey? {
        if let origin { return origin.key }
        let members = zip(Self.keyNames, Self.keyPaths).compactMap { name, path in
            keyValue(at: path.split(separator: "/").map(String.init)).map {
                EdmComplexValue.Member(name: name, value: $0)
            }
        }
        return members.count == Self.keyNames.count && !members.isEmpty ? EntityKey(members) : nil
    }

    private func keyValue(at path: [String]) -> EdmValue? {
        guard path.count > 1, case .complex(let value)? = path.first.flatMap({ self[$0] }) else {
            return path.count == 1 ? self[path[0]] : nil
        }
        return value.value(at: path.dropFirst())
    }

    public var changes: EdmComplexValue {
        guard let original else {
            return members { index, value in !value.isNull && !Self.keyPaths.contains(Self.propertyNames[index]) }
        }
        return members { _, _ in true }.changes(from: original.members { _, _ in true })
    }

    public static func source(of element: Self) -> ElementSource? {
        element.origin.map { ElementSource(entitySet: $0.entitySet) }
    }

    public static func navigationStates(of element: Self) -> [NavigationPropertyState] {
        let original = element.original
        return navigationNames.enumerated().map { index, name in
            let (read, current) = (original?.related(at: index), element.related(at: index))
            let wasExpanded = element.origin?.isExpanded(name) == true
            return NavigationPropertyState(
                name: name, original: read, current: current, wasExpanded: wasExpanded,
                isExpanded: wasExpanded || current != nil)
        }
    }

    /// Properties that are null are left out, so that they get their defaults; entities that were read are bound, those
    /// that were made here created with this one.
    public var creation: EntityPayload {
        var payload = EntityPayload(members { !$1.isNull })
        for (index, name) in Self.navigationNames.enumerated() { payload.relate(name, related(at: index)) }
        return payload
    }

    private func members(where isWanted: (Int, EdmValue) -> Bool) -> EdmComplexValue {
        EdmComplexValue(
            Self.propertyNames.indices.compactMap { index in
                guard let value = value(at: index), isWanted(index, value) else { return nil }
                return .init(name: Self.propertyNames[index], value: value)
            } + additional.members.filter { !Self.propertyNames.contains($0.name) })
    }

    public static func append(_ block: RowBlock, shape: RowShape, to elements: inout [Self]) throws(ODataError) {
        try TypedRows(RowSlotSource(block), shape: shape, of: Self.self).append(to: &elements)
    }
}

/// The origin of an entity: its values as they were read, and the store's information about it.
///
/// It refers to what the store read, and keeps it in memory: a block of at most 512 rows or about 1 MiB with what they
/// expand, or the whole of a ``CollectionSnapshot``. Two of them are equal if they are of the same version of the same entity.
public struct EntityOrigin<Element: TypedEntity>: Hashable, Sendable {
    let rows: TypedRows
    let index: Int
    var header: RowHeader { rows.block.rows[index] }

    init(_ rows: TypedRows, _ index: Int) { (self.rows, self.index) = (rows, index) }

    /// As it was read.
    var entity: Element? { try? rows.element(header, at: index) }
    var key: EntityKey? { rows.block.key(row: header, shape: rows.shape) }

    /// The set that the entity belongs to; nil where the model does not specify it, and for contained entities.
    var entitySet: EdmEntitySet? { rows.shape.entitySet }

    /// Whether the navigation property was asked for.
    func isExpanded(_ navigation: String) -> Bool {
        guard let child = rows.shape.child(of: navigation, as: rows.shape.type(of: header)) else { return false }
        return header.presentChildren & (1 << min(UInt64(child), 63)) != 0
    }

    /// The entity-id, as the store returned it or else the canonical path; nil for entities without a key or a set.
    /// [OData-Protocol, section 4.1]
    public var id: String? { rows.id(of: header) }
    /// The ``id`` that the entity had first on this device: see ``EdmEntity/firstID``.
    public var firstID: String? { rows.block.text(header.firstID) }
    /// Its version; nil where the store has none. [RFC 9110, section 8.8.3]
    public var etag: String? { rows.block.text(header.etag) }
    /// All structural properties that were read, those too that the structure does not know.
    public var properties: EdmComplexValue { rows.block.properties(row: index, shape: rows.shape) }
    /// The stream of a media entity.
    public var media: EdmEntity.StreamInfo? { streamsOfRow?.entity.map(EdmEntity.StreamInfo.init) }
    /// Instance annotations by term (`OfflineStore.isLocal`), where ``EntityCollection/annotations(_:)`` asked for them.
    public var annotations: [String: Bool] {
        Dictionary(rows.block.annotations(of: header).map { ($0.term, $0.value) }) { first, _ in first }
    }
    /// Named stream properties.
    public var streams: [String: EdmEntity.StreamInfo] {
        streamsOfRow?.properties.mapValues(EdmEntity.StreamInfo.init) ?? [:]
    }

    private var streamsOfRow: RowMedia? { header.media > 0 ? rows.block.media[Int(header.media) - 1] : nil }

    public static func == (left: EntityOrigin, right: EntityOrigin) -> Bool {
        left.id == right.id && left.etag == right.etag
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The entity behind a navigation property to one, where it was expanded.
///
/// ```swift
/// @ExpandedEntity var category: Category?
/// if product.$category.isExpanded { … }
/// ```
@propertyWrapper
public struct ExpandedEntity<Element: CollectionElement>: Hashable, Sendable {
    /// None or one; nil where it was not expanded. An array, since a structure cannot contain itself.
    private var entities: [Element]?

    /// With an entity, as expanded; nil for what was not asked for.
    public init(wrappedValue: Element? = nil) {
        if let wrappedValue { entities = [wrappedValue] }
    }

    init(entities: [Element]?) { self.entities = entities }

    /// The entity; nil where there is none, and where it was not asked for. Setting it, to nil too, makes it expanded.
    public var wrappedValue: Element? {
        get { entities?.first }
        set { entities = newValue.map { [$0] } ?? [] }
    }

    /// The wrapper itself: `product.$category.isExpanded`.
    public var projectedValue: ExpandedEntity { self }

    /// Whether the entity was asked for: then nil means that there is none.
    public var isExpanded: Bool { entities != nil }
}
