import ODataModel
import ODataQuery

/// What an entity is in a list: the same before, during and after its upload.
///
/// In an offline store it is the id that the entity had first on the device, so that an entity whose key the service
/// makes keeps the temporary one here when it gets another key; in all other stores it is the entity-id, or the canonical
/// path where the store gives none. ``EntityCollection/find(_:)-(EntityID)`` and the like take it at any time.
///
/// An entity that the app has made and not created yet has an id too, which consists of its values: it is another one
/// after each change, and after the creation.
///
/// [OData-Protocol, section 4.1: Entity-Ids and Entity References]
public struct EntityID: Hashable, Sendable, CustomStringConvertible {
    private enum Name: Hashable, Sendable {
        case text(String)
        case values(EdmComplexValue)
    }

    private let name: Name

    /// The id with this ``text``: of an entity that was shown when the app ran last.
    public init(_ text: String) { name = .text(text) }

    init(of element: some CollectionElement) {
        name = (element.firstID ?? element.entityID).map(Name.text) ?? .values(element.creation.properties)
    }

    init?(of entity: EdmEntity) {
        guard let text = entity.firstID ?? entity.canonicalID else { return nil }
        name = .text(text)
    }

    /// `Orders(11078)`, `Orders(-2147483647)` of one that was made here, which an app may keep; nil for an entity that is
    /// not in a store.
    public var text: String? {
        if case .text(let text) = name { text } else { nil }
    }

    public var description: String { text ?? "an entity that was not created" }

    /// - Throws: ``ODataError`` `badRequest` for an entity that is not in a store.
    func path() throws(ODataError) -> String {
        guard let text else {
            throw ODataError(.badRequest, "The entity is not in a store: create it before it is looked for.")
        }
        return text
    }
}

extension CollectionElement {
    /// What the entity is in a list. Of a structure that has a property `id` of its own, that one is meant by
    /// `order.id`, and this one by ``stableID``.
    public var id: EntityID { stableID }

    /// The same before, during and after the upload of the entity.
    public var stableID: EntityID { EntityID(of: self) }
}

extension EdmEntity {
    /// What the entity is in a list, see ``EntityID``; nil for rows without a key, as those of `$apply`.
    public var stableID: EntityID? { EntityID(of: self) }
}

/// Entities by their ids.
extension EntityCollection {
    /// The one entity with this id, as a collection, with what this one expands and selects: `one()` reads it, `updates`
    /// follows it, also where its key changes with an upload, `children` are its own.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity that is not in a store.
    public func entity(_ id: EntityID) throws(ODataError) -> EntityCollection {
        var one = EntityCollection(collections, query.single(at: try id.path()), isSingleton: true)
        one.annotations = annotations
        return one
    }

    /// The entity with this id, whatever `where` and the like say; nil where there is none.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity of another type, or one that is not in a store.
    public func find(_ id: EntityID) async throws -> Element? { try await read(try await path(of: id).url) }

    /// Deletes the entity with this id, whatever its version.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity of another type, or one that is not in a store.
    public func delete(_ id: EntityID) async throws {
        _ = try await change(ChangeRequest(try await path(of: id), .delete))
    }

    /// The entities of a navigation property of the entity with this id, as a collection of their own.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity that is not in a store.
    public func children<Child: CollectionElement>(
        of parent: EntityID, _ navigation: KeyPath<Element.Fields, ToMany<Child>>
    ) throws -> EntityCollection<Child> {
        try entity(parent).children(named: name(of: navigation))
    }

    /// Relates two entities by their ids, or takes the navigation property away for nil.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func link<Related: CollectionElement>(
        _ element: EntityID, _ navigation: KeyPath<Element.Fields, ToOne<Related>>, to other: EntityID?
    ) async throws {
        let name = Element.Fields(path: .root)[keyPath: navigation].navigationPath.joined(separator: "/")
        try await link(element, named: name, to: other)
    }

    /// Adds an entity to a navigation property, both by their ids.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func add<Related: CollectionElement>(
        _ other: EntityID, to navigation: KeyPath<Element.Fields, ToMany<Related>>, of element: EntityID
    ) async throws {
        try await changeLink(at: element.path(), name(of: navigation), .addReference(.url(other.path())))
    }

    /// Takes an entity out of a navigation property, both by their ids.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func remove<Related: CollectionElement>(
        _ other: EntityID, from navigation: KeyPath<Element.Fields, ToMany<Related>>, of element: EntityID
    ) async throws {
        try await changeLink(at: element.path(), name(of: navigation), .removeReference(.url(other.path())))
    }

    fileprivate func link(_ element: EntityID, named name: String, to other: EntityID?) async throws {
        let change = try other.map { ChangeRequest.Operation.addReference(.url(try $0.path())) }
        try await changeLink(at: element.path(), name, change ?? .removeReference(nil))
    }

    /// The entities of a navigation property of the one entity that this collection is.
    private func children<Child>(named name: String) -> EntityCollection<Child> {
        EntityCollection<Child>(collections, BuiltQuery(path: "\(query.path)/\(name)"))
    }

    private func path(of id: EntityID) async throws -> ResourcePath {
        let path = try await path(try id.path())
        guard let own = try await entityType(), let type = path.entityType(in: try await store.model()) else {
            return path
        }
        guard type.isKind(of: own) || own.isKind(of: type) else {
            throw ODataError(.badRequest, "\(id) is a \(type.name), and \(query.path) has entities of \(own.name).")
        }
        return path
    }
}

/// Entities by name and by their ids.
extension EntityCollection where Element == DynamicEntity {
    /// The entities of a navigation property of the entity with this id, as a collection of their own.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity that is not in a store.
    public func children(of parent: EntityID, _ navigation: String) throws -> EntityCollection<DynamicEntity> {
        try entity(parent).children(named: navigation)
    }

    /// Relates two entities by their ids, or takes the navigation property away for nil.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func link(_ element: EntityID, _ navigation: String, to other: EntityID?) async throws {
        try await link(element, named: navigation, to: other)
    }

    /// Adds an entity to a navigation property, both by their ids.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func add(_ other: EntityID, to navigation: String, of element: EntityID) async throws {
        try await changeLink(at: element.path(), navigation, .addReference(.url(other.path())))
    }

    /// Takes an entity out of a navigation property, both by their ids.
    ///
    /// - Throws: ``ODataError``; `badRequest` for an entity that is not in a store.
    public func remove(_ other: EntityID, from navigation: String, of element: EntityID) async throws {
        try await changeLink(at: element.path(), navigation, .removeReference(.url(other.path())))
    }
}
