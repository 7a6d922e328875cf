import OData

/// Compares an offline store with the service it belongs to: all entities property by property, all streams byte by
/// byte.
struct Comparison {
    static let sets = [
        "BusinessPartners", "Products", "SalesOrders", "SalesOrderItems", "Equipment", "WorkOrders", "Inspections",
        "Photos",
    ]
    /// One line each; empty where both are equal.
    private(set) var differences: [String] = []

    init(_ store: OfflineStore, _ service: SQLiteStore, sets: [String] = Self.sets) async throws {
        for set in sets {
            let mine = try await store.entities(try await store.query(set))
            let theirs = try await service.entities(QueryParser(model: try await service.model()).query(set))
            compare(mine, theirs, set: set)
        }
        try await compareStreams(store, service)
    }

    private mutating func compare(_ mine: [EdmEntity], _ theirs: [EdmEntity], set: String) {
        let known = Dictionary(mine.map { ($0.key, $0) }) { first, _ in first }
        if mine.count != theirs.count {
            differences.append("\(set): \(mine.count) in the store, \(theirs.count) at the service")
        }
        if known.count != mine.count { differences.append("\(set): an entity is in the store twice") }
        for entity in theirs {
            let name = "\(set)\(entity.key?.urlText ?? "")"
            guard let other = known[entity.key] else {
                differences.append("\(name) is missing in the store")
                continue
            }
            for member in entity.properties.members where other[member.name] != member.value {
                let (local, remote) = (other[member.name]?.lexical ?? "absent", member.value.lexical)
                differences.append("\(name)/\(member.name): \(local) in the store, \(remote) at the service")
            }
        }
    }

    private mutating func compareStreams(_ store: OfflineStore, _ service: SQLiteStore) async throws {
        let photos = try await service.entities(QueryParser(model: try await service.model()).query("Photos"))
        for photo in photos {
            let path = try store.path("Photos\(photo.key?.urlText ?? "")")
            let theirs = try await service.readStream(StreamRequest(path)).content.collect(upTo: 1 << 24)
            do {
                let mine = try await store.readStream(StreamRequest(path)).content.collect(upTo: 1 << 24)
                guard mine != theirs else { continue }
                differences.append("The stream of \(path.url) differs: \(mine.count) and \(theirs.count) bytes")
            } catch {
                differences.append("The stream of \(path.url) cannot be read: \(error)")
            }
        }
    }
}
