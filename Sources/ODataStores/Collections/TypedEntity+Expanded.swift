import ODataModel
import ODataQuery

/// Related entities that were read with an entity, by the navigation properties that queries name.
///
/// Those of its own navigation properties have properties of their own. Navigation properties in complex values have
/// none:
///
/// ```swift
/// let person = try await people.expand(\.address.country).first()
/// let country = try person?.expanded(\.address.country)
/// ```
///
/// [OData-CSDLXML, section 9: Complex Type]
extension TypedEntity {
    /// The entity behind a navigation property to one, as it was read; nil where there is none, and where it was not
    /// expanded.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for values that the other type cannot hold.
    public func expanded<Other: TypedEntity>(
        _ navigation: KeyPath<Fields, ToOne<Other>>
    ) throws(ODataError) -> Other? {
        try entities(Other.self, Fields(path: .root)[keyPath: navigation].navigationPath)?.first
    }

    /// The entities behind a navigation property to many, as they were read; nil where they were not expanded.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for values that the other type cannot hold.
    public func expanded<Other: TypedEntity>(
        _ navigation: KeyPath<Fields, ToMany<Other>>
    ) throws(ODataError) -> [Other]? {
        try entities(Other.self, Fields(path: .root)[keyPath: navigation].navigationPath)
    }

    private func entities<Other: TypedEntity>(
        _: Other.Type, _ path: [String]
    ) throws(ODataError) -> [Other]? {
        guard let origin, path.count == 1,
            let child = origin.rows.shape.child(
                of: path[0], as: origin.rows.shape.type(of: origin.header))
        else {
            return nil
        }
        let rows = origin.rows.children(child, of: Other.self)
        return try origin.rows.entities(child, below: origin.header, at: origin.index, as: rows)
    }
}
