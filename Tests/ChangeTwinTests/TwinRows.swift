import ODataModel
import ODataQuery
import ODataStores

/// All that a store shows of a sample, as lines that can be compared.
struct TwinRows: Sendable {
    let model: EdmModel
    let queries: [BoundQuery]
    /// Whether streams are read, which takes long.
    let readsStreams: Bool

    func lines(of store: any ODataStore) async throws -> [String] {
        var lines: [String] = []
        for query in queries {
            for entity in try await store.entities(query) { lines.append(try await line(entity, in: store)) }
        }
        return lines.sorted()
    }

    /// The lines without the keys that a service makes, and without the temporary ones of a device.
    static func hidingMadeKeys(_ lines: [String]) -> [String] {
        lines.map {
            $0.replacing(/abcd0000-[-0-9a-f]*|\b9[0-9][0-9]\b|-(2147483|9223372036854775)[0-9]{3}/, with: made)
        }.sorted()
    }

    private func line(_ entity: EdmEntity, in store: any ODataStore) async throws -> String {
        var line = text(entity)
        for stream in try await streams(of: entity, in: store) { line += " " + stream }
        return line
    }

    private func text(_ entity: EdmEntity) -> String {
        var parts: [String] = []
        for property in entity.type.properties where !property.isStream && !property.isTagged(EdmAnnotation.computed) {
            parts.append("\(property.name)=\(entity[property.name].map(text) ?? Self.made)")
        }
        let dynamic = entity.properties.members.filter { entity.type.property(named: $0.name) == nil }
        parts += dynamic.sorted { $0.name < $1.name }.map { "\($0.name)=\(text($0.value))" }
        for (name, expanded) in entity.expanded.sorted(by: { $0.key < $1.key }) {
            let isContained = entity.type.navigationProperty(named: name)?.containsTarget == true
            let members = members(expanded).map(isContained ? text : key).sorted()
            parts.append("\(name)=[\(members.joined(separator: ", "))]")
        }
        return "\(entity.type.name.name)(\(parts.joined(separator: " ")))"
    }

    private func key(_ entity: EdmEntity) -> String {
        entity.type.key.map { entity[$0]?.lexical ?? Self.made }.joined(separator: ",")
    }

    private func members(_ expanded: EdmEntity.Expanded) -> [EdmEntity] {
        switch expanded {
        case .one(let entity): entity.map { [$0] } ?? []
        case .many(let entities, _): entities
        }
    }

    private func text(_ value: EdmValue) -> String {
        switch value {
        case .complex(let complex):
            let members = complex.members.sorted { $0.name < $1.name }.map { "\($0.name)=\(text($0.value))" }
            return "{\(members.joined(separator: " "))}"
        case .collection(let values): return "[\(values.map(text).joined(separator: ","))]"
        default: return value.lexical
        }
    }

    private static let made = "made"

    /// `$value=text/plain:…` and `Thumb=text/plain:…`
    private func streams(of entity: EdmEntity, in store: any ODataStore) async throws -> [String] {
        guard readsStreams, let id = entity.id else { return [] }
        let path = try QueryParser(model: model).path(id)
        var streams: [String] = []
        if entity.type.hasStream { streams.append("$value=\(try await content(path.appending(.value), in: store))") }
        for property in entity.type.properties where property.isStream {
            let isOfAll = path.entityType(in: model)?.property(named: property.name) != nil
            let owner = isOfAll ? path : path.appending(.cast(entity.type))
            streams.append("\(property.name)=\(try await content(owner.appending(.property(property)), in: store))")
        }
        return streams
    }

    private func content(_ path: ResourcePath, in store: any ODataStore) async throws -> String {
        do {
            let result = try await store.readStream(StreamRequest(path))
            guard !result.isNull else { return "none" }
            let bytes = try await result.content.collect(upTo: 10_000)
            return "\(result.contentType ?? ""):\(String(decoding: bytes, as: UTF8.self))"
        } catch let error as ODataError where [.notFound, .mediaNotInStore].contains(error.code) { return "none" }
    }
}
