import GRDB
import ODataQuery
import ODataSQLite
import ODataStores

/// Finds out what an undo takes along. Changes nothing.
struct UndoPlanner {
    let context: StoreTransaction
    private var queue: RequestQueue { context.queue }

    /// The requests that go, in the order of the queue.
    ///
    /// - Throws: ``ODataError`` `notFound` if the request or entity of the scope is not there.
    func records(of scope: UndoScope) throws -> [QueueRecord] {
        var found: [Int64: QueueRecord] = [:]
        var open = try seeds(of: scope)
        while let record = open.popLast() {
            guard found.updateValue(record, forKey: record.id) == nil else { continue }
            // A change set is one: the service gets all of it or nothing.
            open += try queue.unit(of: record).filter { found[$0.id] == nil }
            open += try LinkReplay(context: context).removals(dependingOn: record).filter { found[$0.id] == nil }
            guard record.operation.isCreation else { continue }
            open += try queue.records(naming: record.row).filter { found[$0.id] == nil }
        }
        return found.values.sorted { $0.id < $1.id }
    }

    private func seeds(of scope: UndoScope) throws -> [QueueRecord] {
        switch scope {
        case .request(let id): return [try queue.known(id)]
        case .entity(let path): return try queue.records(changing: context.rowThoughDeleted(at: path).id)
        case .changeSet(let number): return try queue.records(ofChangeSet: number)
        case .category(let name): return try queue.all().filter { $0.category == name }
        case .everything: return try queue.all()
        }
    }

    func plan(for records: [QueueRecord]) throws -> UndoPlan {
        let line = RequestLine(db: context.db, offline: context.offline)
        let created = Set(records.filter(\.operation.isCreation).map(\.row))
        var plan = UndoPlan()
        plan.requests = records.map(QueueEntry.init)
        var seen: Set<Int64> = []
        for record in records where record.row != 0 {
            // A request may outlive the set that it belongs to.
            let isKnown = context.schema.tables[record.set] != nil
            let known = isKnown ? try line.entityPath(.init(set: record.set, row: record.row))?.url : record.entity
            guard let path = known else { continue }
            if record.digest != nil { plan.streams.append("\(path)/\(record.property ?? "$value")") }
            guard seen.insert(record.row).inserted else { continue }
            if created.contains(record.row) {
                plan.removedEntities.append(path)
            } else {
                plan.restoredEntities.append(path)
            }
        }
        return plan
    }
}

extension QueueRecord.Operation {
    /// Whether it changes the content of a stream that is there.
    var isOfStream: Bool { self == .replaceStream || self == .deleteStream }
}

extension StoreTransaction {
    /// The entity that a path leads to, also one of the entities that were deleted here too.
    func rowThoughDeleted(at path: ResourcePath) throws -> EntityRow {
        if let row = try row(at: path) { return row }
        let path = try PathResolver(db: db, schema: schema).resolve(path)
        guard path.segments.count == 1, case .key(let key)? = path.segments.last, let set = path.rootSet,
            let table = schema.tables[set.name], let id = try RowLookup(db: db, table: table).id(of: key)
        else { throw missing(path) }
        return try row(id, in: table)
    }
}
