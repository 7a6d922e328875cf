import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Finds the data, defining queries and waiting requests of a store that do not fit new metadata.
struct MetadataUse {
    let db: Database
    let old: OfflineModel
    let new: OfflineModel

    func difference() throws -> ModelDifference {
        var difference = ModelDifference(changes: ModelComparison(old: old, new: new).changes)
        guard !difference.isEmpty else { return difference }
        for change in difference.changes {
            if let place = change.place, try isUsed(place) { difference.conflicts.append(change.description) }
        }
        let check = QueryCheck(offline: new)
        for query in try QueryRecord.all(in: db).map(\.definition) {
            do { _ = try check.bound(query) } catch let error as ODataError {
                difference.conflicts.append(error.message)
            }
        }
        for record in try RequestQueue(db: db).all() {
            if let error = RequestCompatibility(db: db, offline: new).misfit(of: record) {
                difference.conflicts.append("\(record.method) \(record.url) waits: \(error.message)")
            }
        }
        return difference
    }

    private func isUsed(_ place: ModelDifference.Place) throws -> Bool {
        switch place {
        case .set(let name): return try old.schema.tables[name].map(holdsRows) ?? false
        case .entities(let type): return try tables(of: type).contains(where: holdsRows)
        case .property(let type, let name):
            if old.model.structuredType(named: type)?.kind == .complex { return try isUsed(.values(type)) }
            return try tables(of: type).contains { try holdsValues($0, of: name) }
        case .values(let type):
            return try old.schema.tables.values.contains { table in
                try table.columns.contains { column in
                    guard reaches(column.property.type.element, type) else { return false }
                    return try holdsValues(table, of: column.property.name)
                }
            }
        case .links(let set, let navigation):
            guard case .link(let link, _)? = old.schema.storage(of: set, navigation) else { return false }
            return try isFilled(link.name)
        }
    }

    private func tables(of type: EdmQualifiedName) -> [LocalTable] {
        old.schema.tables.values.filter { table in
            table.set.type.lineage.contains(type)
                || old.model.derivedTypes(of: table.set.type).contains { $0.name == type }
        }
    }

    /// Whether values of `type` have values of the named one in them.
    private func reaches(_ type: EdmTypeReference, _ name: EdmQualifiedName, seen: Set<EdmQualifiedName> = []) -> Bool {
        switch type {
        case .enumeration(let own): return own == name
        case .complex(let own):
            guard own != name, !seen.contains(own) else { return own == name }
            let types = [old.model.structuredType(named: own)].compactMap { $0 }
                .flatMap { [$0] + old.model.derivedTypes(of: $0) }
            return types.contains { type in
                type.name == name
                    || type.properties.contains { reaches($0.type.element, name, seen: seen.union([own])) }
            }
        case .primitive, .entity, .collection: return false
        }
    }

    private func holdsRows(_ table: LocalTable) throws -> Bool { try isFilled(table.name) }

    private func isFilled(_ table: String) throws -> Bool {
        guard try db.tableExists(table) else { return false }
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted(table)))") ?? false
    }

    private func holdsValues(_ table: LocalTable, of property: String) throws -> Bool {
        let stream = table.stream(of: property).map { [$0.digest] } ?? []
        let columns = table.column(of: property).map { [$0.name] } ?? stream
        return try [table.name, table.baseName, table.theirsName].contains { name in
            guard try db.tableExists(name) else { return false }
            return try columns.contains { column in
                try Bool.fetchOne(
                    db,
                    sql: "SELECT EXISTS (SELECT 1 FROM \(quoted(name)) WHERE \(quoted(column)) IS NOT NULL)") ?? false
            }
        }
    }
}

/// Checks that a waiting request can be sent with a model.
struct RequestCompatibility {
    let db: Database
    let offline: OfflineModel

    /// The reason why it cannot; nil if it can.
    func misfit(of record: QueueRecord) -> ODataError? {
        do {
            let line = RequestLine(db: db, offline: offline)
            _ = try line.path(of: record)
            if record.operation == .call { _ = try line.arguments(of: record) }
            if record.operation.hasPayload, let body = record.body {
                let set = try offline.set(named: record.set)
                let payload = try RequestLine.read(body, of: set, offline)
                try payload.check(with: line.entityType(of: payload, in: set), in: offline.model)
            }
            return nil
        } catch { return ODataError(any: error) }
    }
}
