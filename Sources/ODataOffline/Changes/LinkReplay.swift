import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

/// Makes link tables what the downloads have brought, with what the requests of the queue change on top.
///
/// A link is the service's if a defining query holds it. Which links show follows from that and from the order of the
/// requests alone, so that requests can be taken back in any order.
struct LinkReplay {
    let context: StoreTransaction
    private var db: Database { context.db }
    private var schema: LocalSchema { context.schema }

    /// What a request does to the links of a navigation property.
    private enum Effect {
        case add(LinkTable, from: Int64, to: Int64, isReversed: Bool)
        /// Of one link, or of all that the row has.
        case remove(LinkTable, from: Int64, to: Int64?, isReversed: Bool)

        var table: LinkTable {
            switch self {
            case .add(let table, _, _, _), .remove(let table, _, _, _): table
            }
        }
    }

    /// The link tables that the requests change.
    func tables(of records: [QueueRecord]) throws -> Set<LinkTable> {
        var found: Set<LinkTable> = []
        for record in records {
            if let (table, _) = ownLink(of: record) { found.insert(table) }
            // Nil: it is no longer known which of them it has changed.
            let bound = try boundLinks(of: record)?.map(\.table)
            found.formUnion(bound ?? schema.links(of: record.set))
        }
        return found
    }

    func run(_ tables: Set<LinkTable>) throws {
        let tables = try tables.filter { try db.tableExists($0.name) }
        guard !tables.isEmpty else { return }
        for table in tables { try reset(table) }
        let records = try context.queue.records(
            where: #""parentRow" IS NOT NULL OR instr("body", '@odata.bind') > 0"#)
        for record in records {
            for effect in try effects(of: record) where tables.contains(effect.table) { try apply(effect) }
        }
    }

    private func reset(_ table: LinkTable) throws {
        let unheld = try holders.map { "\(quoted($0)) = 0" }.joined(separator: " AND ")
        let name = quoted(table.name)
        try db.execute(sql: "DELETE FROM \(name) WHERE \"$state\" <> 0 AND \(unheld)")
        try db.execute(sql: "UPDATE \(name) SET \"$state\" = 0 WHERE \"$state\" <> 0")
    }

    private func apply(_ effect: Effect) throws {
        switch effect {
        case .add(let table, let row, let other, let isReversed):
            try context.addLink(table, from: row, to: other, isReversed: isReversed)
        case .remove(let table, let row, let other, let isReversed):
            try context.removeLink(table, from: row, to: other, isReversed: isReversed)
        }
    }

    /// The requests that take away what is not there without `record`: the service would refuse them.
    func removals(dependingOn record: QueueRecord) throws -> [QueueRecord] {
        var found: [QueueRecord] = []
        for case .add(let table, let row, let other, let isReversed) in try effects(of: record) {
            let (source, target) = isReversed ? (other, row) : (row, other)
            let others = try context.queue.records(
                where: #""row" IN (?1, ?2) AND "parentRow" IN (?1, ?2) AND "targetRow" IN (?1, ?2) AND "id" <> ?3"#,
                [source, target, record.id]
            ).filter { ownLink(of: $0)?.0 == table }
            var isThere = try isHeld(table, source: source, target: target)
            for other in others {
                if other.operation == .removeReference, !isThere, other.id > record.id {
                    found.append(other)
                    break
                }
                isThere = other.operation == .addReference
            }
        }
        return found
    }

    private func isHeld(_ table: LinkTable, source: Int64, target: Int64) throws -> Bool {
        guard try db.tableExists(table.name) else { return false }
        let held = try holders.map { "\(quoted($0)) <> 0" }.joined(separator: " OR ")
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM \(quoted(table.name)) WHERE "source" = ? AND "target" = ? AND (\(held)))
                """, arguments: [source, target]) ?? false
    }

    /// The service has executed a request that is not in the queue any more: links that it made are the service's,
    /// what it took away is gone there. What later requests change of them stays.
    func settle(_ record: QueueRecord) throws {
        for effect in try effects(of: record) where try db.tableExists(effect.table.name) {
            switch effect {
            case .add(let table, let row, let other, let isReversed):
                let (source, target) = isReversed ? (other, row) : (row, other)
                if table.isSourceUnique { try drop(table, "\"source\" = \(source) AND \"target\" <> \(target)") }
                if table.isTargetUnique { try drop(table, "\"target\" = \(target) AND \"source\" <> \(source)") }
                try hold(table, source: source, target: target)
            case .remove(let table, let row, let other, let isReversed):
                let (own, end) = isReversed ? ("target", "source") : ("source", "target")
                let which = other.map { " AND \(quoted(end)) = \($0)" } ?? ""
                try drop(table, "\(quoted(own)) = \(row)\(which)")
            }
        }
    }

    /// Links that are not at the service: one that is made again here waits for that.
    private func drop(_ table: LinkTable, _ condition: String) throws {
        let name = quoted(table.name)
        let none = try holders.map { "\(quoted($0)) = 0" }.joined(separator: ", ")
        try LooseRows(db: db, schema: schema).note(linksOf: table, where: condition)
        try db.execute(sql: "DELETE FROM \(name) WHERE \(condition) AND \"$state\" & \(Self.pending) = 0")
        try db.execute(sql: "UPDATE \(name) SET \(none) WHERE \(condition)")
    }

    /// Until their next downloads tell, all queries that expand the navigation property count the link as theirs. Where
    /// none tells of it, it stays as one that the service accepted.
    private func hold(_ table: LinkTable, source: Int64, target: Int64) throws {
        try AcceptedLinks(db: db).add(table, source: source, target: target, schema: schema)
        let name = quoted(table.name)
        for slot in try slots(of: table) {
            try db.execute(
                sql: """
                    UPDATE \(name) SET \(quoted(slot.column)) = \(quoted(slot.column)) | \(slot.bit)
                    WHERE "source" = ? AND "target" = ?
                    """, arguments: [source, target])
        }
        try db.execute(
            sql: """
                UPDATE \(name) SET "$state" = 0 WHERE "source" = ?1 AND "target" = ?2 AND "$state" = \(Self.pending)
                AND NOT EXISTS (SELECT 1 FROM "$queue" WHERE "row" IN (?1, ?2)
                AND "parentRow" IN (?1, ?2) AND "targetRow" IN (?1, ?2))
                """, arguments: [source, target])
    }

    /// The nodes of defining queries that the navigation property leads to, from either end.
    private func slots(of table: LinkTable) throws -> [HolderSlot] {
        let nodes = try Row.fetchAll(db, sql: #"SELECT "slot", "query", "path", "set" FROM "$node""#)
        return nodes.compactMap { node in
            let steps = (node["path"] as String).split(separator: "/")
            let above = steps.dropLast().joined(separator: "/")
            let parent = nodes.first { $0["query"] as Int64 == node["query"] && $0["path"] as String == above }
            guard let navigation = steps.last, let set: String = parent?["set"],
                link(set, String(navigation))?.0 == table
            else { return nil }
            return HolderSlot(node["slot"])
        }
    }

    private static let pending = LocalState.pending.rawValue

    private var holders: [String] {
        get throws { (0..<(try StoreValues(db: db).holderWords)).map(HolderSlot.column) }
    }

    private func effects(of record: QueueRecord) throws -> [Effect] {
        var effects: [Effect] = []
        if let parent = record.parent, let (table, isReversed) = ownLink(of: record) {
            switch record.operation {
            case .addReference:
                if let target = record.target {
                    effects.append(.add(table, from: parent.row, to: target.row, isReversed: isReversed))
                }
            case .removeReference:
                effects.append(.remove(table, from: parent.row, to: record.target?.row, isReversed: isReversed))
            default: effects.append(.add(table, from: parent.row, to: record.row, isReversed: isReversed))
            }
        }
        for (table, isReversed, binding) in try boundLinks(of: record) ?? [] {
            if binding.references.isEmpty {
                effects.append(.remove(table, from: record.row, to: nil, isReversed: isReversed))
            }
            for reference in binding.references {
                guard let other = try row(of: reference) else { continue }
                effects.append(.add(table, from: record.row, to: other, isReversed: isReversed))
            }
        }
        return effects
    }

    /// The navigation property that a `$ref` request, or a creation below a parent, is addressed to.
    private func ownLink(of record: QueueRecord) -> (LinkTable, isReversed: Bool)? {
        guard let parent = record.parent, let name = record.property else { return nil }
        return link(parent.set, name)
    }

    private func link(_ set: String, _ navigation: String) -> (LinkTable, isReversed: Bool)? {
        guard case .link(let table, let isReversed)? = schema.storage(of: set, navigation) else { return nil }
        return (table, isReversed)
    }

    /// The bindings of a body that are kept as links; nil if it does not fit the metadata any more.
    private func boundLinks(
        of record: QueueRecord
    ) throws -> [(table: LinkTable, isReversed: Bool, binding: EntityPayload.Binding)]? {
        guard record.operation.hasPayload, let body = record.body, let set = schema.tables[record.set]?.set else {
            return []
        }
        let line = RequestLine(db: db, offline: context.offline)
        guard let payload = try RequestLine.ifFit({ try RequestLine.read(body, of: set, context.offline) }) else {
            return nil
        }
        let type = line.entityType(of: payload, in: set)
        return payload.bindings.compactMap { binding in
            let name = schema.navigationName(of: binding.navigation, in: record.set, as: type)
            return link(record.set, name).map { ($0.0, $0.isReversed, binding) }
        }
    }

    /// Of an entity that was deleted here too: the link shows again with it.
    private func row(of reference: EntityReference) throws -> Int64? {
        guard let named = try? context.path(of: reference) else { return nil }
        let path = try PathResolver(db: db, schema: schema).resolve(named)
        guard path.segments.count == 1, case .key(let key)? = path.segments.last, let set = path.rootSet,
            let table = schema.tables[set.name]
        else { return nil }
        return try RowLookup(db: db, table: table).id(of: key)
    }
}
