import OData

/// Compares what a query gives on two stores: entities by key, property by property, and streams byte by byte.
struct DemoComparison {
    private(set) var entities = 0
    private(set) var streams = 0
    private(set) var bytes: Int64 = 0
    private(set) var differences: [String] = []

    mutating func compare(_ query: DemoScenario.Query, _ offline: OfflineStore, _ online: OnlineStore) async throws {
        let mine = try await offline.entities(try await offline.query(query.text))
        let theirs = try await online.entities(QueryParser(model: try await online.model()).query(query.text))
        compare(mine, theirs, place: query.name)
        guard query.streams else { return }
        for entity in theirs {
            guard let set = entity.entitySet, let key = entity.key, entity.type.hasStream else { continue }
            let path = ResourcePath(set, key: key)
            try await compareStreams(path, offline, online)
        }
    }

    private mutating func compare(_ mine: [EdmEntity], _ theirs: [EdmEntity], place: String) {
        entities += theirs.count
        let known = Dictionary(mine.map { ($0.key, $0) }) { first, _ in first }
        if mine.count != theirs.count {
            differences.append("\(place): \(mine.count) entities in the store, \(theirs.count) at the service")
        }
        for entity in theirs {
            let name = "\(place)\(entity.key?.urlText ?? "")"
            guard let other = known[entity.key] else {
                differences.append("\(name) is missing in the store")
                continue
            }
            for member in entity.properties.members where other[member.name] != member.value {
                let local = other[member.name]?.lexical ?? "absent"
                differences.append(
                    "\(name)/\(member.name): \(local) in the store, \(member.value.lexical) at the service")
            }
            compareExpanded(other, entity, place: name)
        }
    }

    private mutating func compareExpanded(_ mine: EdmEntity, _ theirs: EdmEntity, place: String) {
        for (name, expanded) in theirs.expanded {
            compare(mine.expanded[name].entities, expanded.entities, place: "\(place)/\(name)")
        }
    }

    private mutating func compareStreams(
        _ path: ResourcePath, _ offline: OfflineStore, _ online: OnlineStore
    ) async throws {
        let theirs = try await online.readStream(StreamRequest(path)).content.collect(upTo: 1 << 30)
        let mine = try await offline.readStream(StreamRequest(path)).content.collect(upTo: 1 << 30)
        streams += 1
        bytes += Int64(theirs.count)
        if mine != theirs { differences.append("the stream of \(path.url) differs") }
    }
}

extension EdmEntity.Expanded? {
    fileprivate var entities: [EdmEntity] { self?.entities ?? [] }
}

extension EdmEntity.Expanded {
    fileprivate var entities: [EdmEntity] {
        switch self {
        case .one(let entity): entity.map { [$0] } ?? []
        case .many(let entities, _): entities
        }
    }
}
