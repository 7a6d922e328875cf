import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Applies the resolution of a conflict in one transaction. The service's version is in the shadow table.
struct ConflictSettlement {
    let context: StoreTransaction
    let row: EntityRow
    /// The last request at the time of the resolver's call: later ones are not changed.
    let last: Int64
    /// Requests in flight that the service has responded to.
    var settled: Set<Int64> = []

    private var db: Database { context.db }
    private var queue: RequestQueue { context.queue }
    private var isGone: Bool { row.state.contains(.removedThere) }

    /// - Returns: The requests that were created for it; nil if nothing was settled and the conflict is held.
    /// - Throws: ``ODataError`` if the resolution does not fit the entity.
    func settle(_ resolution: ConflictResolution) throws -> [Int64]? {
        let records = try queue.records(changing: row.id).filter { $0.id <= last }
        let isOpen = records.contains { $0.state.mayBeExecuted && !settled.contains($0.id) }
        let links = LinkReplay(context: context)
        let tables = try links.tables(of: records)
        guard !records.isEmpty, !isOpen, let made = try settle(resolution, records) else { return nil }
        try links.run(tables.union(links.tables(of: queue.records(changing: row.id))))
        for changeSet in Set(records.compactMap(\.changeSet)) { try releaseOthers(of: changeSet) }
        return made
    }

    private func settle(_ resolution: ConflictResolution, _ records: [QueueRecord]) throws -> [Int64]? {
        // A media entity cannot be made again without a stream.
        let canBeMade = row.table.stream(of: nil) == nil
        switch resolution {
        case .hold: return nil
        case .theirs: try giveUp(records)
        case .mine where isGone:
            // The entity was deleted on both sides.
            guard !records.contains(where: { $0.operation == .delete }) else { return try settle(.theirs, records) }
            return canBeMade ? try create(again: records) : nil
        case .mine:
            let made = try send(records)
            try rebase()
            return made
        case .merged(let payload):
            let payload = try context.checked(payload, of: row, isWhole: isGone, isNew: false)
            guard payload.nested.isEmpty else {
                throw ODataError(
                    .notImplemented, "A merge with nested entities is not supported: change each entity separately.")
            }
            guard canBeMade || !isGone else { return nil }
            return try merge(payload, records)
        }
        return []
    }

    /// The requests that remove a link which only the row's own requests create: without these there is nothing to
    /// remove.
    func removals() throws -> [QueueRecord] {
        let records = try queue.records(changing: row.id).filter { $0.id <= last }
        let known = Set(records.map(\.id))
        return try records.flatMap(LinkReplay(context: context).removals)
            .filter { !known.contains($0.id) && !$0.state.mayBeExecuted }
    }

    private func giveUp(_ records: [QueueRecord]) throws {
        let removals = try removals()
        try context.drop(records)
        try Undo(context: context).undo(removals)
        guard isGone else { return try rebase() }
        // It is kept on the device while later requests wait for it.
        guard try queue.records(changing: row.id).isEmpty else { return }
        try RowRemoval(db: db, schema: context.schema).remove(row)
    }

    /// The rest of a change set is sent as a change set again.
    private func releaseOthers(of changeSet: Int64) throws {
        for other in try queue.records(ofChangeSet: changeSet) where other.row != row.id {
            if other.state.mayBeExecuted, !settled.contains(other.id) { continue }
            try queue.setState(.waiting, of: other.id)
            try ErrorArchive(db: db, offline: context.offline).remove(request: other.id)
            guard let table = context.schema.tables[other.set], let row = try? context.row(other.row, in: table) else {
                continue
            }
            try RowStates(context: context, row: row).settle(queue.records(changing: row.id))
        }
    }

    /// The requests stay. The creation of an existing entity becomes an update, and below another entity also a
    /// reference.
    private func send(_ records: [QueueRecord]) throws -> [Int64] {
        var made: [Int64] = []
        for var record in records {
            if record.operation == .create, row.state.contains(.madeHere) {
                var payload = try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
                for name in row.table.set.type.key { payload.properties[name] = nil }
                record.body = context.body(payload, of: row.table)
                try queue.rewrite(record, as: .update)
                if let reference = try refer(as: record) { made.append(reference) }
            }
            try release(record)
        }
        return made
    }

    /// `POST Parents(1)/Tags` becomes `POST Parents(1)/Tags/$ref` if no property expresses the relationship.
    private func refer(as creation: QueueRecord) throws -> Int64? {
        guard let parent = creation.parent, let name = creation.property,
            case .link? = context.schema.storage(of: parent.set, name)
        else { return nil }
        var context = context
        context.changeSet = creation.changeSet
        let principal = try context.row(parent.row, in: context.schema.table(named: parent.set))
        try context.markChanged(principal)
        var reference = context.record(.addReference, principal)
        (reference.tag, reference.category, reference.headers) = (creation.tag, creation.category, creation.headers)
        (reference.parent, reference.property, reference.target) = (parent, name, row.named)
        reference.targetURL = try context.path(of: row).url
        return try context.enqueue(reference)
    }

    /// Replaces all creations, updates and deletions by one update.
    private func merge(_ payload: EntityPayload, _ records: [QueueRecord]) throws -> [Int64] {
        let replaced = records.filter { $0.operation.hasPayload || $0.operation == .delete }
        let others = records.filter { record in !replaced.contains { $0.id == record.id } }
        // A change set keeps the change of the entity.
        guard let kept = replaced.first(where: { $0.changeSet != nil }) ?? replaced.first else {
            return try add(payload, to: records)
        }
        for other in replaced where other.id != kept.id { try queue.remove(other.id) }
        try rewrite(kept, as: payload)
        let made = isGone ? [] : try replaced.filter { $0.operation == .create }.compactMap(refer)
        try finish(kept.id, others)
        try renewReferences(of: kept.id)
        return made
    }

    private func rewrite(_ record: QueueRecord, as payload: EntityPayload) throws {
        var record = record
        record.body = context.body(payload, of: row.table)
        try queue.rewrite(record, as: .update)
    }

    /// Updates the references and dependencies of the request from its current body and entity.
    private func renewReferences(of request: Int64) throws {
        guard let record = try queue.record(request) else { return }
        let payload = try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
        let rows = try context.rows(namedBy: payload, in: record, of: row)
        try queue.setReferences(rows, of: record)
        for other in rows { try put(record, behindCreationOf: other) }
    }

    /// An entity that a request refers to is created before it, even if its creation is a later request.
    ///
    /// - Throws: ``ODataError`` `conflict` if the creation waits for the request itself.
    private func put(_ record: QueueRecord, behindCreationOf other: Int64) throws {
        guard let creation = try queue.records(changing: other).first(where: \.operation.isCreation),
            creation.id > record.id
        else { return }
        guard try !RequestTies(db: db).put(record.id, behind: creation.id) else { return }
        throw ODataError(
            .conflict,
            """
            The request \(record.id) names the entity that the request \(creation.id) makes, and that one waits for it: \
            take the request \(creation.id) back, or give up the reference.
            """)
    }

    /// No waiting request has a body for the properties: a later update includes them, or another request is added to
    /// the change set of its neighbour.
    private func add(_ payload: EntityPayload, to records: [QueueRecord]) throws -> [Int64] {
        let later = try queue.records(changing: row.id).filter { $0.id > last }
            .first { $0.operation.hasPayload || $0.operation == .delete }
        guard let later, !isGone else {
            // A creation precedes the others, an update follows them: it must not be in a change set that they wait
            // for.
            let last = isGone ? nil : try queue.records(changing: row.id).last
            let made = try enqueue(payload, like: last ?? records[0])
            try finish(made, records)
            try renewReferences(of: made)
            return [made]
        }
        // A later replacement or deletion does not need the properties.
        if later.operation == .update {
            var merged = payload
            let body = try RequestLine.read(later.body ?? .init(), of: row.table.set, context.offline)
            context.set(body, in: &merged, of: later, row)
            try queue.setBody(context.body(merged, of: row.table), of: later.id)
        }
        try finish(nil, records)
        if later.operation == .update { try renewReferences(of: later.id) }
        return []
    }

    /// - Parameter update: The remaining request for properties.
    private func finish(_ update: Int64?, _ others: [QueueRecord]) throws {
        guard let update = try update.flatMap(queue.record) else {
            for record in others { try release(record) }
            return try rebase()
        }
        if isGone {
            try ChangeReplay(context: context, row: row).run([update])
            return try create(by: update, then: others)
        }
        for record in others + [update] { try release(record) }
        try rebase()
    }

    private func enqueue(_ payload: EntityPayload, like other: QueueRecord) throws -> Int64 {
        var context = context
        context.changeSet = other.changeSet
        var record = context.record(.update, row)
        (record.tag, record.category, record.headers) = (other.tag, other.category, other.headers)
        record.body = context.body(payload, of: row.table)
        return try context.enqueue(record, references: context.rows(namedBy: payload, in: record, of: row))
    }

    /// The request is sent as a new one, since the service has responded to the old one.
    private func release(_ record: QueueRecord) throws {
        try queue.setState(.waiting, of: record.id)
        try ErrorArchive(db: db, offline: context.offline).remove(request: record.id)
        let line = RequestLine(db: db, offline: context.offline)
        guard let record = try queue.record(record.id) else { return }
        try queue.setLine(line.line(of: record), entity: line.entity(of: record), of: record.id)
    }

    /// The service's version becomes the base of the waiting changes.
    private func rebase() throws {
        if row.state.contains(.madeHere) {
            try ResponseApplication.claim(row, in: db)
            try RowLookup(db: db, table: row.table).setState([], removing: [.madeHere, .temporaryKey], of: row.id)
            try context.keepBase(of: row)
        }
        try NewerVersion(context: context, row: row).adopt()
    }

    private func create(again records: [QueueRecord]) throws -> [Int64] {
        if let first = records.first(where: \.operation.hasPayload) {
            try create(by: first, then: records.filter { $0.id != first.id })
            try renewReferences(of: first.id)
            return []
        }
        let made = try enqueue(EntityPayload(), like: records[0])
        guard let creation = try queue.record(made) else { return [] }
        try create(by: creation, then: records)
        try renewReferences(of: made)
        return [made]
    }

    /// An entity that the service has deleted is created again with all its values, before its other requests.
    private func create(by creation: QueueRecord, then others: [QueueRecord]) throws {
        var creation = creation
        let type = try context.type(of: row)
        var payload = EntityPayload(try context.dynamicProperties(of: row))
        payload.type = type.name == row.table.set.type.name ? nil : type.name
        for column in row.table.columns where !column.property.isTagged(EdmAnnotation.computed) {
            guard type.property(named: column.property.name) != nil,
                let value = try context.value(ofColumn: column.name, of: row), !value.isNull
            else { continue }
            payload.properties[column.property.name] = value
        }
        for record in [creation] + others where record.operation.hasPayload {
            let sent = try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
            let links = EntityPayload(bindings: try sent.bindings.filter { try isLink($0.navigation) })
            context.set(links, in: &payload, of: record, row)
            if record.id != creation.id { try queue.remove(record.id) }
        }
        creation.body = context.body(payload, of: row.table)
        try queue.rewrite(creation, as: .create)
        let left = others.filter { !$0.operation.hasPayload }
        // Includes requests that were added during the resolver's call: a new creation is the last one.
        let all = try queue.records(changing: row.id).map(\.id)
        try RequestTies(db: db).put(
            all.filter { $0 < creation.id }, behind: creation.id, before: all.filter { $0 > creation.id })
        try RowRemoval(db: db, schema: context.schema).dropShadow(of: row)
        try RowLookup(db: db, table: row.table).setState(.madeHere, removing: [.removedThere, .inError], of: row.id)
        try context.set([(HiddenColumn.etag.name, .null)], of: row)
        for record in left + [creation] { try release(record) }
        try RowStates(context: context, row: row).settle(queue.records(changing: row.id))
    }

    /// Whether no property expresses the relationship.
    private func isLink(_ navigation: String) throws -> Bool {
        if case .link? = try context.storage(navigation, of: row) { true } else { false }
    }
}
