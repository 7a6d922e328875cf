import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The service's version that was received while changes of a row waited.
struct NewerVersion {
    let context: StoreTransaction
    let row: EntityRow
    private var db: Database { context.db }
    private var queue: RequestQueue { context.queue }

    /// The columns of a row that waiting requests change.
    private struct Changes {
        /// Columns that are written as a whole.
        var columns: Set<String> = []
        /// Members of complex values that are written, by the columns.
        var members: [String: [EdmComplexValue]] = [:]
    }

    /// Makes the version the base of the changes, and its ETag the one that is sent, if the changed properties have the
    /// same values in the old base, or already the changed values. Otherwise the old ETag stays, so that the service
    /// refuses the request and the conflict is resolved.
    func adoptIfHarmless() throws {
        let waiting = try queue.records(changing: row.id)
        guard try isKnown(waiting) else { return }
        if try isUnchanged() {
            // An ETag that the service no longer sends is still that of this version.
            return try isHarmless(to: Set<String>()) ? adopt() : VersionCopy(db: db, row: row).dropTheirs()
        }
        guard let changes = try changes(by: waiting), try isHarmless(to: changes) else { return }
        try adopt()
        // A query may have received its ETag without all of its values.
        try context.set([(HiddenColumn.download.name, LocalTable.unverified.databaseValue)], of: row)
    }

    /// Removes the versions of a table that equal the base of their rows: the service has not changed them. A version
    /// with another ETag stays, since its ETag must be sent.
    static func dropUnchanged(of table: LocalTable, in db: Database) throws {
        guard try db.tableExists(table.theirsName), try db.tableExists(table.baseName) else { return }
        let values = { (row: String) in table.comparedColumns.map { "\(row).\(quoted($0))" }.joined(separator: ", ") }
        try db.execute(
            sql: """
                DELETE FROM \(quoted(table.theirsName)) AS t WHERE EXISTS (SELECT 1 FROM \(quoted(table.baseName)) AS b
                WHERE b.\(.id) = t.\(.id) AND (t.\(.etag) IS NULL OR t.\(.etag) IS b.\(.etag))
                AND (\(values("t"))) IS (\(values("b"))))
                """)
    }

    /// Whether the version has the values that the row is based on, however they are written.
    private func isUnchanged() throws -> Bool {
        let names = row.table.comparedColumns
        let versions = try [row.table.theirsName, row.table.baseName].map { table in
            try Row.fetchOne(
                db, sql: "SELECT \(names.map(quoted).joined(separator: ", ")) FROM \(quoted(table)) WHERE \(.id) = ?",
                arguments: [row.id])
        }
        guard let theirs = versions[0], let base = versions[1] else { return false }
        return names.enumerated().allSatisfy { index, name in
            let (newer, old): (DatabaseValue, DatabaseValue) = (theirs[index], base[index])
            guard newer != old else { return true }
            guard let column = row.table.columns.first(where: { $0.name == name }),
                let value = context.value(of: newer, in: column), let known = context.value(of: old, in: column)
            else { return false }
            return value.isSame(as: known)
        }
    }

    /// Whether a version is known that the changes of the row would overwrite.
    func isConflict() throws -> Bool {
        guard try isKnown(queue.records(changing: row.id)) else { return false }
        try adoptIfHarmless()
        return try isKnown(queue.records(changing: row.id))
    }

    /// Makes the version the base of the changes unconditionally, since the user has seen it.
    func adoptIfKnown() throws {
        if try isKnown(queue.records(changing: row.id)) { try adopt() }
    }

    /// Makes the version the base of the waiting changes.
    func adopt() throws {
        try LooseRows(db: db, schema: context.schema).note(.change, of: row)
        let versions = VersionCopy(db: db, row: row)
        try versions.theirsToBase()
        try versions.baseToLive()
        let waiting = try queue.records(changing: row.id)
        try ChangeReplay(context: context, row: row).run(waiting)
        try RowStates(context: context, row: row).settle(waiting)
    }

    /// Whether there is a version. If a request of the row is unconfirmed, the version may be its result.
    private func isKnown(_ waiting: [QueueRecord]) throws -> Bool {
        guard row.state.isDisjoint(with: [.madeHere, .removedThere]), !waiting.contains(where: \.state.mayBeExecuted),
            try db.tableExists(row.table.theirsName)
        else { return false }
        return try Int64.fetchOne(
            db, sql: "SELECT \(.id) FROM \(quoted(row.table.theirsName)) WHERE \(.id) = ?", arguments: [row.id])
            != nil
    }

    private func isHarmless(to changes: Changes) throws -> Bool {
        // Also for no columns, to compare the ETags.
        try isHarmless(to: changes.columns)
            && changes.members.allSatisfy { column, given in try isHarmless(to: given, of: column) }
    }

    /// A version without an ETag does not replace one that has an ETag: the change would overwrite later versions.
    private func isHarmless(to columns: Set<String>) throws -> Bool {
        let changed = columns.sorted().map(quoted).map { "(t.\($0) IS NOT b.\($0) AND t.\($0) IS NOT l.\($0))" }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT (t.\(.etag) IS NOT NULL OR b.\(.etag) IS NULL) AND NOT (\((["0"] + changed).joined(separator: " OR ")))
                FROM \(quoted(row.table.theirsName)) AS t JOIN \(quoted(row.table.baseName)) AS b ON b.\(.id) = t.\(.id)
                JOIN \(row.table.sqlName) AS l ON l.\(.id) = t.\(.id) WHERE t.\(.id) = ?
                """, arguments: [row.id]) ?? false
    }

    private func isHarmless(to given: [EdmComplexValue], of name: String) throws -> Bool {
        guard let column = row.table.columns.first(where: { $0.name == name }) else { return false }
        let versions = try [row.table.theirsName, row.table.baseName, row.table.name].map {
            (table: String) -> EdmValue in
            let stored = try DatabaseValue.fetchOne(
                db, sql: "SELECT \(quoted(name)) FROM \(quoted(table)) WHERE \(.id) = ?", arguments: [row.id])
            return context.value(of: stored ?? .null, in: column) ?? .null
        }
        return given.allSatisfy { Self.isHarmless(to: $0, theirs: versions[0], base: versions[1], mine: versions[2]) }
    }

    /// Whether the given members have the base's or the changed values at the service.
    private static func isHarmless(to given: EdmComplexValue, theirs: EdmValue, base: EdmValue, mine: EdmValue) -> Bool
    {
        guard theirs != base, theirs != mine else { return true }
        guard case .complex(let theirs) = theirs, case .complex(let base) = base, case .complex(let mine) = mine,
            theirs.type == base.type, mine.type == base.type
        else { return false }
        return given.members.allSatisfy { member in
            let name = member.name
            let (newer, old, own) = (theirs[name] ?? .null, base[name] ?? .null, mine[name] ?? .null)
            guard case .complex(let inner) = member.value else { return newer == old || newer == own }
            return isHarmless(to: inner, theirs: newer, base: old, mine: own)
        }
    }

    /// Nil if the whole entity is changed, as by a deletion, or if it is unknown.
    private func changes(by waiting: [QueueRecord]) throws -> Changes? {
        var changes = Changes()
        for record in waiting {
            switch record.operation {
            case .delete: return nil
            case .replace:
                let dynamic = row.table.hiddenColumns.filter { $0 == HiddenColumn.dynamic.name }
                changes.columns.formUnion(row.table.columns.filter { !$0.isKey }.map(\.name) + dynamic)
            case .update:
                guard
                    let payload = try RequestLine.ifFit({
                        try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
                    })
                else { return nil }
                try add(payload, to: &changes)
            case .addReference, .removeReference:
                guard let parent = record.parent, let name = record.property else { return nil }
                changes.columns.formUnion(columns(ofNavigation: name, from: parent))
            case .replaceStream, .deleteStream:
                guard let stream = row.table.stream(of: record.property) else { return nil }
                changes.columns.insert(stream.etag)
            case .create, .createMedia, .call: break
            }
        }
        return changes
    }

    private func add(_ update: EntityPayload, to changes: inout Changes) throws {
        for member in update.properties.members {
            let column = row.table.column(of: member.name)?.name
            if let column, case .complex(let given) = member.value {
                changes.members[column, default: []].append(given)
            } else {
                // Properties without a column are dynamic.
                changes.columns.insert(column ?? HiddenColumn.dynamic.name)
            }
        }
        for binding in update.bindings {
            changes.columns.formUnion(
                columns(
                    ofNavigation: try context.navigationName(binding.navigation, of: row), from: row.named))
        }
    }

    /// The columns of the row that store a navigation property, from either end.
    private func columns(ofNavigation name: String, from end: QueueRecord.Named) -> [String] {
        guard case .columns(let pairs, _, let isDependent)? = context.schema.storage(of: end.set, name) else {
            return []
        }
        return pairs.map { isDependent ? $0.source : $0.target }
    }
}

extension LocalTable {
    /// The row id and the columns whose values distinguish versions.
    fileprivate var comparedColumns: [String] {
        [HiddenColumn.id.name] + hiddenColumns + columns.filter { !$0.isKey }.map(\.name) + streams.map(\.etag)
    }
}

extension EdmValue {
    /// Whether this is the same value: members of complex values have no order, and instants are the same in every zone.
    fileprivate func isSame(as other: EdmValue) -> Bool {
        switch (self, other) {
        case (.complex(let one), .complex(let two)):
            one.type == two.type
                && Set(one.names + two.names).allSatisfy { (one[$0] ?? .null).isSame(as: two[$0] ?? .null) }
        case (.collection(let one), .collection(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        case (.dateTimeOffset(let one), .dateTimeOffset(let two)): !(one < two) && !(two < one)
        default: self == other
        }
    }
}

extension ConflictHandler {
    /// Rows with waiting changes take over the service's changes of other properties.
    func adoptNewer() async throws {
        for set in offline.schema.tables.keys.sorted() {
            let table = try offline.schema.table(named: set)
            let rows = try await store.database.reading { db in try Self.rows(in: db, table) }
            guard !rows.isEmpty else { continue }
            try await store.database.writingDurably { [offline, configuration = store.configuration] db in
                let context = StoreTransaction(db: db, offline: offline, configuration: configuration)
                for id in rows {
                    guard let row = try? context.row(id, in: table) else { continue }
                    try NewerVersion(context: context, row: row).adoptIfHarmless()
                }
            }
        }
    }
}
