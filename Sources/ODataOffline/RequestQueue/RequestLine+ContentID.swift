import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// References to what earlier requests of the same change set make: the service knows no keys of theirs yet.
extension RequestLine {
    /// `Orders(-2147483647)` → `Orders(11078)`, or `$q12` inside the change set that makes it.
    func resolved(_ reference: EntityReference) throws -> EntityReference {
        let path: ResourcePath
        switch reference {
        case .path(let known): path = known
        case .url(let url):
            guard let known = try? offline.parser.entityPath(id: url, serviceRoot: nil) else { return reference }
            path = known
        }
        if let made = try made(at: path) { return .path(made) }
        return .path(try PathResolver(db: db, schema: offline.schema).resolve(path))
    }

    /// `{"OrderID":-2147483647}` → `{"Order@odata.bind":"$q12"}`
    func nameMade(in payload: inout EntityPayload, of set: EdmEntitySet) throws {
        let type = entityType(of: payload, in: set)
        for navigation in type.navigationProperties where !navigation.constraints.isEmpty {
            guard let target = target(of: navigation, from: set, as: type) else { continue }
            let members = navigation.constraints.compactMap { constraint in
                payload.properties[constraint.property].map {
                    EdmComplexValue.Member(name: constraint.referencedProperty, value: $0)
                }
            }
            guard let key = EntityKey(of: target.type, in: EdmComplexValue(members)),
                let made = try made(at: ResourcePath(target, key: key))
            else { continue }
            for constraint in navigation.constraints { payload.properties[constraint.property] = nil }
            payload.bindings.removeAll { $0.navigation == navigation.name }
            payload.bindings.append(.init(navigation: navigation.name, references: [.path(made)]))
        }
    }

    private func made(at path: ResourcePath) throws -> ResourcePath? {
        guard !made.isEmpty, path.segments.count == 1, case .key(let key)? = path.segments.first,
            let set = path.rootSet,
            let row = try PathResolver(db: db, schema: offline.schema).row(of: key, in: set.name),
            let id = made[row]
        else { return nil }
        return ResourcePath(root: .contentID(id, set))
    }
}
