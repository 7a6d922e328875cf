import ODataModel
import ODataQuery

/// Entities of types that derive from the structure's.
///
/// [OData-CSDLXML, section 6.1.3: Derived Entity Types]
extension TypedEntity {
    /// The entity as it was read, as a structure of its own type or of one between; nil for an entity of another type,
    /// and for one that was made here.
    ///
    /// ```swift
    /// for item in trip.planItems ?? [] {
    ///     if let flight = try item.as(Flight.self) { print(flight.flightNumber) }
    /// }
    /// ```
    ///
    /// Changes of the structure are not in it. ``EntityCollection/of(_:)`` has the entities of one type only, and
    /// updates them.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for values that the other type cannot hold.
    public func `as`<Other: TypedEntity>(_: Other.Type) throws(ODataError) -> Other? {
        guard let origin, origin.type.lineage.contains(Other.typeName) else { return nil }
        return try origin.rows.rows(of: Other.self).element(origin.header, at: origin.index)
    }
}

extension EntityOrigin {
    var type: EdmStructuredType { rows.shape.type(of: header) }

    /// The entity's own type, which may derive from that of the structure: `Trippin.Flight`.
    public var typeName: EdmQualifiedName { type.name }
}

extension EntityCollection {
    /// With the entities of a navigation property that a derived type has: `expand(Flight.self, \.airline)` is
    /// `$expand=Trippin.Flight/Airline`.
    public func expand<Derived: TypedEntity, Related: NavigationField>(
        _: Derived.Type, _ navigation: KeyPath<Derived.Fields, Related>
    ) -> EntityCollection {
        changed { $0.expand(Derived.navigationPath(navigation)) { _ in } }
    }
}

extension ExpandedCollection {
    /// With the entities of a navigation property that a derived type has.
    public func expand<Derived: TypedEntity, Related: NavigationField>(
        _: Derived.Type, _ navigation: KeyPath<Derived.Fields, Related>
    ) -> ExpandedCollection {
        var copy = self
        copy.query.expand(Derived.navigationPath(navigation)) { _ in }
        return copy
    }
}

extension TypedEntity {
    /// The navigation properties behind a cast to this type: `Trippin.Flight/Airline`.
    fileprivate static func navigationPath(_ navigation: KeyPath<Fields, some NavigationField>) -> [String] {
        Fields(path: FieldPath(prefix: "\(typeName)/"))[keyPath: navigation].navigationPath
    }
}
