import ODataModel
import ODataQuery
import ODataStores

/// A value of an entity that a path leads to: `Orders(1)/Status`, `Orders(1)/Address/City`.
struct ValuePath {
    let entity: ResourcePath
    let property: EdmProperty
    /// From the entity to what contains ``property``.
    private let containers: [EdmProperty]

    /// - Throws: ``ODataError`` `badRequest` if the path leads to no property, `notImplemented` if it does so by the
    ///   members of collections or by derived types of complex values.
    init(_ path: ResourcePath) throws {
        var entity = path.resource
        var properties: [EdmProperty] = []
        while case .property(let property)? = entity.segments.last {
            properties.insert(property, at: 0)
            entity.segments.removeLast()
        }
        guard let last = properties.popLast() else { throw ODataError(.badRequest, "\(path.url) is not a property.") }
        guard entity.target == .entity else {
            throw ODataError(
                .notImplemented,
                "\(path.url) leads through a collection or a derived type of a complex value: set the whole value.")
        }
        self.entity = entity
        property = last
        containers = properties
    }

    /// `{"Address":{"City":"Metz"}}`
    func payload(_ value: EdmValue) -> EntityPayload {
        let names = [property.name] + containers.reversed().map(\.name)
        let whole = names.reduce(value) { .complex(EdmComplexValue([.init(name: $1, value: $0)])) }
        guard case .complex(let properties) = whole else { return EntityPayload() }
        return EntityPayload(properties)
    }
}
