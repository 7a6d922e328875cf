import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension ChangeContext {
    /// `Orders`, or `Customers('ALFKI')/Orders`: the new entity then belongs to the customer.
    struct Destination {
        var table: LocalTable
        var parent: EntityRow?
        var navigation: EdmNavigationProperty?
        /// `Vehicles/Shop.Car`
        var type: EdmStructuredType?
    }

    func destination(_ path: ResourcePath) throws -> Destination {
        guard path.target == .collection, let set = path.entitySet else {
            throw ODataError(.badRequest, "\(path.url) is not a collection of entities: nothing can be created there.")
        }
        guard let table = schema.tables[set.name] else {
            throw ODataError(.methodNotAllowed, "\(set.name) is kept by the store and cannot be changed.")
        }
        try TableMaker(db: db, schema: schema).make(set.name)
        var parent = path
        var place = Destination(table: table)
        if case .cast(let type)? = parent.segments.last {
            place.type = type
            parent.segments.removeLast()
        }
        guard case .navigation(let navigation, _)? = parent.segments.last else { return place }
        parent.segments.removeLast()
        (place.parent, place.navigation) = (try row(at: parent), navigation)
        return place
    }

    func create(_ payload: EntityPayload, at path: ResourcePath, headers: [HeaderField]) throws -> EntityRow {
        let last = try queue.last
        let row = try create(payload, in: try destination(path), headers: headers)
        if payload.nested.isEmpty { try join(row) } else { try unite(row, after: last) }
        return row
    }

    /// Makes the entity, before it what it belongs to, after it what belongs to it: a request for each.
    func create(_ payload: EntityPayload, in place: Destination, headers: [HeaderField] = []) throws -> EntityRow {
        let type = try newType(payload, in: place)
        // Client-only sets are not sent.
        if type.hasStream, !offline.isLocal(place.table.set.name) {
            throw ODataError.needsStream(place.table.set.name)
        }
        var payload = payload
        payload.type = type.name == place.table.set.type.name ? nil : type.name
        payload = withKey(try withCurrentKeys(payload, of: place.table), of: place.table)
        try PayloadCheck(model: offline.model, table: place.table, type: type).check(payload)
        var sent = EntityPayload(payload.properties, bindings: payload.bindings)
        sent.type = payload.type
        for nested in payload.nested { try createPrincipal(nested, of: place.table, type, sent: &sent) }
        var new = NewRow(table: place.table, type: type, values: sent.properties)
        try relate(&new, to: place, sent: &sent)
        for binding in sent.bindings { try bind(binding, of: &new) }
        let row = try insert(&new, sent: sent)
        try addLinks(new.links, of: row)
        var record = record(.create, row)
        record.headers = headers
        record.body = body(sent, of: place.table)
        if new.isBelowParent, let parent = place.parent {
            record.parent = parent.named
            record.property = try place.navigation.map { try navigationName($0.name, of: parent) }
        }
        let named = try references(of: row, naming: sent.properties.names)
        try enqueue(record, references: named.union(new.references))
        for nested in payload.nested { try createDependents(nested, of: row) }
        for reversed in new.reversed { _ = try changeForeignKey(of: reversed.row, from: row, reversed.pairs) }
        return row
    }

    /// Where the store is to make keys, a new entity gets its final one.
    private func withKey(_ payload: EntityPayload, of table: LocalTable) -> EntityPayload {
        guard configuration.exactlyOnce == .clientKeys, table.keyColumns.count == 1,
            let key = table.columns.first(where: \.isKey)?.property, key.type == .primitive(.guid),
            payload.properties[key.name] == nil
        else { return payload }
        var payload = payload
        var random = random
        payload.properties[key.name] = .guid(.random(using: &random))
        return payload
    }

    func createMedia(
        _ media: StoredMedia?, type: String, slug: String?, properties: EntityPayload?, at path: ResourcePath,
        headers: [HeaderField]
    ) throws -> EntityRow {
        let place = try destination(path)
        guard let stream = place.table.stream(of: nil), let media else {
            throw ODataError(.badRequest, "\(place.table.set.name) has no media entities.")
        }
        let entityType = try newType(EntityPayload(), in: place)
        let isOfSet = entityType.name == place.table.set.type.name
        guard isOfSet, properties?.type.map({ $0 == entityType.name }) ?? true else {
            throw ODataError(
                .notImplemented,
                "An offline store makes media entities of \(place.table.set.type.name) only: make others online.")
        }
        if let properties {
            try PayloadCheck(model: offline.model, table: place.table, type: entityType).check(properties)
        }
        var sent = EntityPayload()
        var new = NewRow(table: place.table, type: entityType, values: [:])
        try relate(&new, to: place, sent: &sent)
        let row = try insert(&new, sent: sent)
        try MediaIndex(db: db, schema: schema).add(media)
        try sendLost(media)
        try set(stream.content(media.digest, type: type), of: row)
        var record = record(.createMedia, row)
        record.headers = headers
        record.digest = media.digest
        record.contentType = type
        record.slug = slug
        if new.isBelowParent, let parent = place.parent {
            record.parent = parent.named
            record.property = try place.navigation.map { try navigationName($0.name, of: parent) }
        }
        try enqueue(record)
        try addLinks(new.links, of: row)
        // A stream's POST has no room for properties: they follow as a PATCH, those of the relation to the parent too.
        var following = properties ?? EntityPayload()
        for member in sent.properties.members where following.properties[member.name] == nil {
            following.properties[member.name] = member.value
        }
        if following != EntityPayload() {
            return try update(following, of: try self.row(row.id, in: row.table), replacing: false, headers: headers)
        }
        return row
    }

    /// The rows that a row refers to and that were made here, for which its requests wait, and those that it refers to by
    /// properties that are sent: deletions of these wait for the request.
    func references(of row: EntityRow, naming properties: [String]) throws -> Set<Int64> {
        var found: Set<Int64> = []
        let sent = Set(properties.compactMap { row.table.column(of: $0)?.name })
        for (name, relation) in schema.navigation[row.table.set.name] ?? [:] {
            let typed = schema.typeCondition(ofNavigation: name, of: row.table.set.name, row: "r") ?? "TRUE"
            guard case .columns(let pairs, let target, true) = relation, let other = schema.tables[target],
                try db.hasTable(other.name)
            else { continue }
            let equal = pairs.map { "r.\(quoted($0.source)) = t.\(quoted($0.target))" }.joined(separator: " AND ")
            let isSent = pairs.contains { sent.contains($0.source) }
            let condition = isSent ? "TRUE" : "t.\"$state\" & \(LocalState.madeHere.rawValue) <> 0"
            let rows = try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT t."$id" FROM \(row.table.sqlName) AS r JOIN \(other.sqlName) AS t ON \(equal)
                        WHERE r."$id" = ? AND \(condition) AND \(typed)
                        """), arguments: [row.id])
            found.formUnion(rows)
        }
        return found
    }
}

extension LocalTable {
    var sqlName: String { quoted(name) }
}

extension LocalStream {
    /// What the columns hold once content was set here.
    func content(_ digest: String?, type: String?) -> [(column: String, value: DatabaseValue)] {
        [
            (self.digest, digest?.databaseValue ?? .null), (self.type, type?.databaseValue ?? .null),
            (changed, 1.databaseValue), (evicted, 0.databaseValue),
        ]
    }
}
