import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Carries out a plan on the tables of a published file.
struct DirectChangeExecutor {
    let rows: DirectRows
    /// The stream of the request, and what the request says of it.
    var media: ReceivedMedia?
    /// The entities that steps have inserted, by the position of the step.
    private var inserted: [Int: LocatedEntity] = [:]

    var access: RowAccess { rows.access }
    var db: Database { access.db }

    init(rows: DirectRows, media: ReceivedMedia? = nil) {
        self.rows = rows
        self.media = media
    }

    mutating func carryOut(_ plan: ChangePlan<LocatedEntity>) throws {
        for (position, step) in plan.steps.enumerated() {
            switch step {
            case .insert(let insertion): inserted[position] = try insert(insertion)
            case .update(let update): try self.update(update)
            case .delete(let row): try delete(row)
            case .link(let link): try self.link(link)
            case .unlink(let link): try unlink(link)
            case .replaceStream(let row, let property): try replaceStream(stream(property, of: row), of: row)
            case .deleteStream(let row, let property): try deleteStream(stream(property, of: row), of: row)
            }
        }
        for (position, step) in plan.steps.enumerated() where !rows.isLoading {
            guard case .insert(let insertion) = step, !insertion.isMedia, let row = inserted[position] else { continue }
            try requireReferences(of: row, insertion.type)
        }
    }

    func located(_ target: ChangePlan<LocatedEntity>.Target) throws -> LocatedEntity {
        switch target {
        case .row(let row): return row
        case .inserted(let position): if let row = inserted[position] { return row }
        case .absent: break
        }
        throw ODataError.noSuchEntity
    }

    /// Navigation properties that must lead to an entity do.
    private func requireReferences(of row: LocatedEntity, _ type: EdmStructuredType) throws {
        guard row.table.declared != nil else { return }
        let set = try rows.entitySet(named: row.setName)
        for property in type.navigationProperties where !property.isCollection && !property.isNullable {
            guard let navigation = try? rows.navigation(property.name, of: set, as: type) else { continue }
            guard try rows.linked(navigation, from: row).isEmpty else { continue }
            throw ODataError(
                .badRequest, "The navigation property \(property.name) must lead to an entity: bind one.")
        }
    }
}

extension DirectChangeExecutor {
    private func insert(_ insertion: ChangePlan<LocatedEntity>.Insertion) throws -> LocatedEntity {
        let table = try rows.table(insertion.set.name)
        var columns = try columns(of: insertion.values, insertion.type, in: table)
        let parent = try insertion.parent.map { try (located($0.source), $0.navigation) }
        if let (source, navigation) = parent, navigation.storage == .targetKey {
            columns.set(try heldByTarget(navigation, source))
        }
        try set(insertion.references, in: &columns)
        if let declared = table.declared {
            try DeclaredCompletion(access: access, table: table, declared: declared, type: insertion.type)
                .complete(&columns, media: insertion.isMedia ? media : nil)
        }
        if insertion.isMedia { try prepareStream(&columns, of: table) }
        let row = LocatedEntity(table: table, row: try insertRow(columns, into: table))
        if insertion.isMedia, let stream = table.media { try write(to: stream, of: row) }
        try addLinks(insertion.references, of: row)
        if let (source, navigation) = parent, navigation.storage == .links {
            try addLink(from: source, navigation, to: row)
        }
        return row
    }

    private func insertRow(_ assignments: ColumnAssignments, into table: PublishedTable) throws -> RowReference {
        try requireKey(assignments, of: table)
        try refuseRival(assignments, of: table)
        let (sql, arguments) = assignments.insertion(into: table.name)
        let row: RowReference
        if let rowID = table.rowID {
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            try requireChange(of: table, "insertion")
            row = RowReference(rowID: db.lastInsertedRowID, column: rowID)
        } else {
            let names = table.key.map { quoted($0.name) }.joined(separator: ", ")
            guard let found = try Row.fetchOne(db, sql: "\(sql) RETURNING \(names)", arguments: arguments) else {
                try requireChange(of: table, "insertion")
                throw ODataError.noResult(of: "The insertion into \(table.set)")
            }
            row = RowReference(key: Array(zip(table.key, found.databaseValues)))
        }
        try requireRow(LocatedEntity(table: table, row: row))
        return row
    }

    /// SQLite takes null for a key column that is not declared `NOT NULL`; such a row could not be addressed.
    private func requireKey(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        for column in table.key where !column.isServiceMade && !assignments.has(column.name) {
            guard column.description.defaultSQL != nil || column.description.isGenerated else {
                throw ODataError.refused(ValueProblem(column.property, ValueProblem.mustHaveValue))
            }
        }
    }

    /// GUIDs in text are the same in capitals and small letters, which the index of the key need not know. And no new
    /// key has U+0000: `%00` in a URL is refused by much that is on the way to a service.
    private func refuseRival(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        let key = table.key.compactMap { column -> (PublishedColumn, DatabaseValue)? in
            guard case .value(let value)? = assignments[column.name] else { return nil }
            return (column, value)
        }
        for (column, value) in key where value.hasNul {
            throw ODataError.refused(ValueProblem(column.property, ValueProblem.mustNotHaveNul))
        }
        guard key.count == table.key.count, table.key.contains(where: { $0.codec == .guidText }),
            try access.exists(RowReference(key: key), in: table)
        else { return }
        throw ODataError.notUnique(table.key.map { "\(table.set).\($0.property)" }.joined(separator: ", "))
    }

    private func update(_ update: ChangePlan<LocatedEntity>.Update) throws {
        let row = try located(update.target)
        var columns = try columns(
            of: update.values, update.type, in: row.table, row: row, replaces: update.replaces)
        try reset(update.resets, in: &columns, of: row.table)
        try set(update.references, in: &columns)
        try set(columns, of: row)
        try addLinks(update.references, of: row)
    }

    func set(_ columns: ColumnAssignments, of row: LocatedEntity) throws {
        guard !columns.isEmpty else { return }
        var columns = columns
        try touch(&columns, of: row.table)
        let (sql, arguments) = columns.update(of: row.table.name, at: row.row)
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
        try requireChange(of: row.table, "update")
        try requireRow(row)
    }

    private func delete(_ row: LocatedEntity) throws {
        try db.cachedStatement(sql: "DELETE FROM \(quoted(row.table.name)) AS r WHERE \(row.row.condition)")
            .execute(arguments: row.row.arguments)
        try requireChange(of: row.table, "deletion")
    }

    /// - Throws: ``ODataError`` `conflict` if the last statement has changed no row: triggers keep changes from being made
    ///   without an error with `RAISE(IGNORE)`, constraints with `ON CONFLICT IGNORE`.
    private func requireChange(of table: PublishedTable, _ change: String) throws {
        guard db.changesCount == 0 else { return }
        let cause = change == "deletion" ? "" : " or a constraint with ON CONFLICT IGNORE"
        throw ODataError(.conflict, "A trigger\(cause) of \(table.set) keeps this \(change) from being made.")
    }

    /// - Throws: ``ODataError`` `conflict` if a row that was written is not there any more: a trigger may delete it or give
    ///   it another key.
    func requireRow(_ row: LocatedEntity) throws {
        guard row.table.declared == nil, try !access.exists(row.row, in: row.table) else { return }
        throw ODataError(
            .conflict,
            "The entity of \(row.setName) is not there after this change: a trigger deletes it or gives it another key."
        )
    }
}
