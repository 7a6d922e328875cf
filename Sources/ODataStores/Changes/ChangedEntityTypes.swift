import ODataModel
import ODataQuery

/// Which types the entities of a set may have that changes make or change.
///
/// [OData-JSON, section 4.6.3: Control Information: type]
package struct ChangedEntityTypes {
    /// The type of the set.
    let declared: EdmStructuredType
    /// It and the types that derive from it, as far as the set can hold them.
    let all: [EdmStructuredType]
    let setName: String

    package init(of set: EdmEntitySet, types: [EdmStructuredType]) {
        declared = set.type
        all = types
        setName = set.name
    }

    /// The type of a new entity: that of the payload, else that of the path, else `told`, else that of the set.
    ///
    /// - Parameters:
    ///   - path: `Shop.Car` of `POST Vehicles/Shop.Car`
    ///   - told: The type that a property of the payload names.
    /// - Throws: ``ODataError`` `badRequest` if there can be no such entity.
    package func new(
        _ payload: EntityPayload, path: EdmStructuredType?, told: @autoclosure () -> EdmStructuredType? = nil
    ) throws(ODataError) -> EdmStructuredType {
        let type = try named(by: payload) ?? path ?? told() ?? declared
        if let path, !type.isKind(of: path) {
            throw ODataError(
                .badRequest, "The path takes entities of \(path.name), and \(type.name) does not derive from it.")
        }
        guard !type.declaration.isAbstract else {
            throw ODataError(
                .badRequest, "\(type.name) is abstract: name a type that derives from it by @odata.type.")
        }
        return type
    }

    /// - Throws: ``ODataError`` `badRequest` if a payload gives an entity that is there another type.
    package func check(_ payload: EntityPayload, changes type: EdmStructuredType) throws(ODataError) {
        guard let wanted = try named(by: payload), !type.isKind(of: wanted) else { return }
        throw ODataError(
            .badRequest, "The entity is a \(type.name): its type cannot be changed to \(wanted.name).")
    }

    private func named(by payload: EntityPayload) throws(ODataError) -> EdmStructuredType? {
        guard let name = payload.type else { return nil }
        guard let type = all.first(where: { $0.name == name }) else {
            throw ODataError(.badRequest, "\(setName) does not hold entities of type \(name).")
        }
        return type
    }
}
