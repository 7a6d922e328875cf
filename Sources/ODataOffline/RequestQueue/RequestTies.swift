import GRDB

/// Which earlier requests must have succeeded before a request is sent: the last one of the same entity, those that
/// make the entities it refers to, the last one that changes the same link, and before a deletion all that name the
/// entity: without it they could never succeed.
struct RequestTies {
    let db: Database

    /// - Parameters:
    ///   - record: A request of the queue, or one that is about to be put at its end.
    ///   - isFirst: Whether no other request changes its row.
    func ids(of record: QueueRecord, references: Set<Int64>, isFirst: Bool = false) throws -> [Int64] {
        let end = record.id == 0 ? Int64.max : record.id
        var found: Set<Int64> = []
        if !isFirst { found.formUnion(try last(of: record.row, before: end)) }
        for row in references where row != record.row {
            let creation = try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT "id" FROM \(.queue)
                        WHERE "row" = ? AND "operation" IN ('create', 'createMedia') AND "id" < ?
                        """), arguments: [row, end])
            if let creation { found.insert(creation) }
        }
        if let parent = record.parent?.row, let target = record.target?.row {
            let link = try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT max("id") FROM \(.queue) WHERE "row" IN (?1, ?2)
                        AND "parentRow" IN (?1, ?2) AND "targetRow" IN (?1, ?2) AND "id" < ?3
                        """), arguments: [parent, target, end])
            if let link { found.insert(link) }
        }
        if record.operation == .delete {
            let naming = try Int64.fetchAll(
                db.cachedStatement(sql: #"SELECT "entry" FROM \#(.reference) WHERE "row" = ? AND "entry" < ?"#),
                arguments: [record.row, end])
            found.formUnion(naming)
        }
        return found.sorted()
    }

    /// The last request of a row. Where that creates an entity again, the last one of those that wait for it too.
    private func last(of row: Int64, before end: Int64) throws -> [Int64] {
        let last = try Row.fetchOne(
            db.cachedStatement(
                sql:
                    #"SELECT "id", "operation" FROM \#(.queue) WHERE "row" = ? AND "id" < ? ORDER BY "id" DESC LIMIT 1"#
            ),
            arguments: [row, end])
        guard let last else { return [] }
        let id: Int64 = last["id"]
        let isCreation = QueueRecord.Operation(rawValue: last["operation"])?.isCreation ?? false
        return isCreation ? try [id] + self.last(of: row, before: id) : [id]
    }

    /// A request of the queue refers to other rows than before. What was put behind it, or it behind, stays there.
    func renew(_ record: QueueRecord, references: Set<Int64>) throws {
        let known = try ids(neededBy: record.id).filter { $0 > record.id }
        let earlier = try ids(of: record, references: references).filter {
            try !ids(neededBy: $0).contains(record.id)
        }
        try set(known.union(earlier), of: record.id)
    }

    /// Requests wait for a later one of the same entity, which creates it again, and no longer the other way round. What
    /// comes after that waits for them too.
    ///
    /// - Parameter later: The requests of the entity that come after the creation.
    func put(_ earlier: [Int64], behind creation: Int64, before later: [Int64]) throws {
        for id in later {
            let own = try ids(neededBy: id)
            if own.contains(creation) { try set(own.union(earlier), of: id) }
        }
        var needs = try ids(neededBy: creation)
        for id in earlier {
            let own = try ids(neededBy: id)
            needs.formUnion(own)
            try set(own.union([creation]), of: id)
        }
        try set(needs.subtracting(earlier), of: creation)
    }

    /// A request waits for a later one, which makes what it names.
    ///
    /// - Returns: False if that one waits for the request itself, or is of its change set: nothing is changed then.
    func put(_ id: Int64, behind creation: Int64) throws -> Bool {
        guard try !leads(from: [creation], to: [id]) else { return false }
        try set(ids(neededBy: id).union([creation]), of: id)
        return true
    }

    /// Whether one of the requests waits for one of `targets`, itself or over others.
    func leads(from ids: Set<Int64>, to targets: Set<Int64>) throws -> Bool {
        var seen: Set<Int64> = []
        var open = Array(ids)
        while let next = open.popLast() {
            guard !targets.contains(next) else { return true }
            guard seen.insert(next).inserted, let record = try RequestQueue(db: db).record(next) else { continue }
            open += record.dependsOn + (try RequestQueue(db: db).unit(of: record).map(\.id))
        }
        return false
    }

    private func ids(neededBy id: Int64) throws -> Set<Int64> {
        Set(
            QueueRecord.ids(
                try String.fetchOne(
                    db.cachedStatement(sql: #"SELECT "dependsOn" FROM \#(.queue) WHERE "id" = ?"#), arguments: [id])
                    ?? ""
            ))
    }

    private func set(_ needs: Set<Int64>, of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "dependsOn" = ? WHERE "id" = ?"#, arguments: ["\(needs.sorted())", id])
    }

    /// A request leaves the queue: what it depended on takes its place where something depended on it.
    func replace(_ id: Int64) throws {
        let own = try Row.fetchOne(
            db.cachedStatement(sql: #"SELECT "row", "dependsOn" FROM \#(.queue) WHERE "id" = ?"#), arguments: [id])
        guard let own else { return }
        let row: Int64 = own["row"]
        let dependents = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT "id", "dependsOn" FROM \(.queue) WHERE "id" <> ?1 AND "dependsOn" <> '[]'
                    AND ("row" = ?2 OR "id" IN (SELECT "entry" FROM \(.reference) WHERE "row" = ?2)
                    OR "operation" = 'delete' AND "row" IN (SELECT "row" FROM \(.reference) WHERE "entry" = ?1))
                    """), arguments: [id, row])
        let inherited = QueueRecord.ids(own["dependsOn"] ?? "")
        for dependent in dependents {
            let ids = QueueRecord.ids(dependent["dependsOn"] ?? "")
            guard ids.contains(id) else { continue }
            try set(Set(ids).subtracting([id]).union(inherited), of: dependent["id"])
        }
    }
}
