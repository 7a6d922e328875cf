import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Carries out a plan on the rows of an offline store, and puts a request for each step into the queue.
struct QueuedChangeExecutor {
    typealias Plan = ChangePlan<EntityRow>

    let transaction: StoreTransaction
    let change: LocalChange
    /// The entities that steps have inserted, by the position of the step.
    private var inserted: [Int: EntityRow] = [:]
    /// The values that a new media entity gets from its parent: the request with the stream cannot contain them.
    var besideStream = EdmComplexValue()

    var db: Database { transaction.db }
    var schema: LocalSchema { transaction.schema }
    var queue: RequestQueue { transaction.queue }

    init(_ change: LocalChange, in transaction: StoreTransaction) {
        self.change = change
        self.transaction = transaction
    }

    mutating func carryOut(_ plan: Plan) throws {
        let last = try plan.hasInsertion ? queue.last : 0
        for (position, step) in plan.steps.enumerated() {
            switch step {
            case .insert(let insertion):
                inserted[position] = try insertion.isMedia ? insertMedia(insertion) : insert(insertion)
            case .update(let update):
                try self.update(update, isFirst: position == 0, isAlone: plan.steps.count == 1)
            case .delete(let row): try transaction.delete(row, headers: change.request.headers)
            case .link(let link): try self.link(link)
            case .unlink(let link): try unlink(link)
            case .replaceStream(let row, let property): try replaceStream(property, of: row)
            case .deleteStream(let row, let property): try deleteStream(property, of: row)
            }
        }
        guard case .inserted(let position)? = plan.subject, let row = inserted[position] else { return }
        if !besideStream.isEmpty { try updateMedia(row) }
        guard case .insert(let insertion) = plan.steps[position], !insertion.isMedia else { return }
        if inserted.count > 1 { try transaction.unite(row, after: last) } else { try transaction.join(row) }
    }

    /// The row of an entity, with its state as it is now.
    func located(_ target: Plan.Target) throws -> EntityRow {
        switch target {
        case .row(let row):
            var current = try transaction.row(row.id, in: row.table)
            current.key = row.key
            return current
        case .inserted(let position): if let row = inserted[position] { return try located(.row(row)) }
        case .absent(let path): throw transaction.missing(path)
        }
        throw ODataError.noSuchEntity
    }

    func path(of target: Plan.Target) throws -> ResourcePath {
        if case .absent(let path) = target { return path }
        return try transaction.path(of: located(target))
    }

    /// How the store keeps a navigation property.
    func storage(_ navigation: ChangeableNavigation) throws -> LocalNavigation {
        guard let storage = schema.storage(of: navigation.set, navigation.name) else {
            throw ODataError.unkept(navigation.property.name)
        }
        return storage
    }

    func record(_ operation: QueueRecord.Operation, _ row: EntityRow) -> QueueRecord {
        var record = transaction.record(operation, row)
        record.headers = change.request.headers
        return record
    }
}

extension QueuedChangeExecutor {
    private func insert(_ insertion: Plan.Insertion) throws -> EntityRow {
        var new = NewRow(
            table: try schema.table(of: insertion.set), type: insertion.type, values: insertion.values)
        var sent = EntityPayload(insertion.values)
        sent.type = insertion.type.name == insertion.set.type.name ? nil : insertion.type.name
        if let parent = insertion.parent { try relate(&new, to: parent.source, parent.navigation, sent: &sent) }
        for reference in insertion.references { try add(reference, to: &new, sent: &sent) }
        let row = try transaction.insert(&new)
        try transaction.addLinks(new.links, of: row)
        var record = record(.create, row)
        record.body = transaction.body(sent, of: row.table)
        try address(&record, below: new.parent)
        let named = try transaction.references(of: row, naming: sent.properties.names)
        try transaction.enqueue(record, references: named.union(new.references))
        return row
    }

    /// Sets what makes a new entity belong to the parent it is created below.
    func relate(
        _ new: inout NewRow, to source: Plan.Target, _ navigation: ChangeableNavigation, sent: inout EntityPayload
    ) throws {
        let parent = try located(source)
        switch try storage(navigation) {
        case .columns(let pairs, _, false):
            for pair in pairs {
                guard let value = try transaction.value(ofColumn: pair.source, of: parent),
                    let column = new.table.storage(named: pair.target)
                else { continue }
                new.values[column.property.name] = value
                sent.properties[column.property.name] = value
            }
            new.references.insert(parent.id)
        case .link(let link, let isReversed):
            new.links.append(.init(table: link, other: parent.id, isReversed: !isReversed))
            new.parent = (parent.named, navigation.name)
        case .columns(_, _, true):
            throw ODataError(.badRequest, "Nothing can be created below \(navigation.property.name).")
        }
    }

    /// The request must be addressed below the parent where no property of the entity expresses the relationship.
    func address(_ record: inout QueueRecord, below parent: (row: QueueRecord.Named, navigation: String)?) throws {
        record.parent = parent?.row
        record.property = parent?.navigation
    }

    /// `"Category@odata.bind": "Categories(1)"`; a reference to an entity that is created before is a foreign key.
    private func add(_ reference: Plan.Reference, to new: inout NewRow, sent: inout EntityPayload) throws {
        guard let target = reference.target else { return }
        let path = try reference.path ?? path(of: target)
        switch try storage(reference.navigation) {
        case .columns(let pairs, _, _):
            for (column, value) in try transaction.foreignKey(pairs, of: new.table, to: path, target.row) {
                new.values[column.property.name] = value
                if case .inserted = target { sent.properties[column.property.name] = value }
            }
            if case .inserted = target { return }
            if let row = try target.row ?? transaction.row(at: path) { new.references.insert(row.id) }
        case .link(let link, let isReversed):
            let other = try located(target)
            new.links.append(.init(table: link, other: other.id, isReversed: isReversed))
            new.references.insert(other.id)
        }
        sent.bind(reference.navigation, to: path)
    }

    /// - Parameters:
    ///   - isFirst: Whether no step has changed anything, so that rows are as the plan has found them.
    ///   - isAlone: Whether the update is all of the change: it is sent even if it changes nothing.
    private mutating func update(_ update: Plan.Update, isFirst: Bool, isAlone: Bool) throws {
        let row = try isFirst ? update.target.row ?? located(update.target) : located(update.target)
        var payload = EntityPayload(update.given)
        if case .inserted = update.target {
            // What an app gives replaces what the parent gives.
            for member in besideStream.members where payload.properties[member.name] == nil {
                payload.properties[member.name] = member.value
            }
            besideStream = EdmComplexValue()
        }
        let mark = try transaction.mark(current: row)
        try transaction.write(payload.properties, to: row, replacing: update.replaces, adding: mark)
        var named: Set<Int64> = []
        for reference in update.references { named.formUnion(try set(reference, of: row, in: &payload)) }
        guard isAlone || update.replaces || payload != EntityPayload() else { return }
        try send(payload, of: row, as: update.replaces ? .replace : .update, naming: named)
    }

    private func updateMedia(_ row: EntityRow) throws {
        try transaction.markChanged(row)
        try transaction.write(besideStream, to: row, replacing: false)
        try send(EntityPayload(besideStream), of: row, as: .update)
    }

    /// Puts an update into the queue, or makes it part of a request that is there.
    func send(
        _ payload: EntityPayload, of row: EntityRow, as operation: QueueRecord.Operation, naming named: Set<Int64> = []
    ) throws {
        let payload = try transaction.typed(payload, of: row, isWhole: operation == .replace)
        let references = try transaction.references(of: row, naming: payload.properties.names).union(named)
        var record = record(operation, row)
        record.changeSet = transaction.changeSet
        if operation == .update, try transaction.combine(payload, with: row, as: record, references: references) {
            return
        }
        record.body = transaction.body(payload, of: row.table)
        try transaction.enqueue(record, of: row, references: references)
    }

    /// Writes a reference that the row holds.
    ///
    /// - Returns: The rows that the request then names.
    private func set(_ reference: Plan.Reference, of row: EntityRow, in payload: inout EntityPayload) throws
        -> Set<Int64>
    {
        switch try storage(reference.navigation) {
        case .columns(let pairs, _, _):
            let path = try reference.path ?? reference.target.map(path)
            try transaction.refer(from: row, pairs, to: path, reference.target?.row)
            guard let path, let target = reference.target else {
                for reference in reference.navigation.references { payload.properties[reference.property] = .null }
                return []
            }
            guard case .inserted = target else {
                payload.bind(reference.navigation, to: path)
                return try Set([(target.row ?? transaction.row(at: path))?.id].compactMap(\.self))
            }
            for (column, value) in try transaction.foreignKey(pairs, of: row.table, to: path) {
                payload.properties[column.property.name] = value
            }
            return []
        case .link(let link, let isReversed):
            guard let target = reference.target else { return [] }
            let other = try located(target)
            try transaction.addLink(link, from: row.id, to: other.id, isReversed: isReversed)
            payload.bind(reference.navigation, to: try reference.path ?? transaction.path(of: other))
            return [other.id]
        }
    }
}

extension EntityPayload {
    /// Adds a reference to the binding of a navigation property.
    fileprivate mutating func bind(_ navigation: ChangeableNavigation, to path: ResourcePath) {
        let name = navigation.property.name
        guard let index = bindings.firstIndex(where: { $0.navigation == name }) else {
            return bindings.append(.init(navigation: name, references: [.path(path)]))
        }
        bindings[index].references.append(.path(path))
    }
}
