import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// References that take a request of their own: `$ref` requests, and updates of the entities that hold them.
extension QueuedChangeExecutor {
    func link(_ link: Plan.Link) throws {
        let source = try located(link.source)
        guard let target = link.target else { return }
        switch try storage(link.navigation) {
        case .columns(let pairs, _, true):
            try transaction.markChanged(source)
            try transaction.refer(from: source, pairs, to: path(of: target))
            try enqueue(.addReference, link, changing: source, from: source)
        case .columns(let pairs, _, false):
            let other = try located(target)
            let values = try pairs.map { ($0.target, try transaction.storedValue(of: $0.source, of: source)) }
            try changeHeldReference(link, of: other, from: source, to: values, .addReference)
        case .link(let table, let isReversed):
            let other = try located(target)
            try transaction.markChanged(source)
            try transaction.addLink(table, from: source.id, to: other.id, isReversed: isReversed)
            try enqueue(.addReference, link, changing: source, from: source)
        }
    }

    func unlink(_ link: Plan.Link) throws {
        let source = try located(link.source)
        switch try storage(link.navigation) {
        case .columns(let pairs, _, true):
            try transaction.markChanged(source)
            try transaction.refer(from: source, pairs, to: nil)
            try enqueue(.removeReference, link, changing: source, from: source)
        case .columns(let pairs, _, false):
            guard let target = link.target else { return }
            let values = pairs.map { ($0.target, DatabaseValue.null) }
            try changeHeldReference(link, of: located(target), from: source, to: values, .removeReference)
        case .link(let table, let isReversed):
            let other = try link.target.map(located)
            try transaction.markChanged(source)
            try transaction.removeLink(table, from: source.id, to: other?.id, isReversed: isReversed)
            guard link.isRequested || other != nil else { return try enqueueRemoval(of: link.navigation, from: source) }
            try enqueue(.removeReference, link, changing: source, from: source)
        }
    }

    /// Changes the reference that another entity holds: by a `$ref` request where the app makes one, else by an update
    /// of that entity.
    private func changeHeldReference(
        _ link: Plan.Link, of other: EntityRow, from source: EntityRow, to values: [(String, DatabaseValue)],
        _ operation: QueueRecord.Operation
    ) throws {
        try transaction.markChanged(other)
        try transaction.set(values.map { (column: $0.0, value: $0.1) }, of: other)
        guard !link.isRequested else { return try enqueue(operation, link, changing: other, from: source) }
        var payload = EntityPayload()
        for (name, value) in values {
            guard let column = other.table.storage(named: name) else { continue }
            payload.properties[column.property.name] = transaction.value(of: value, in: column) ?? .null
        }
        try send(payload, of: other, as: .update)
    }

    private func enqueue(
        _ operation: QueueRecord.Operation, _ link: Plan.Link, changing row: EntityRow, from source: EntityRow
    ) throws {
        var record = record(operation, row)
        record.parent = source.named
        record.property = link.navigation.name
        if let target = link.target {
            let path = try path(of: target)
            record.target = try transaction.row(at: path)?.named
            record.targetURL = path.url
        }
        try transaction.enqueue(record)
    }

    /// `"Category@odata.bind":null` of a link without a constraint takes a request of its own,
    /// `DELETE Products(1)/Category/$ref`, where the requests that are queued do not say so: before 4.01 an update cannot
    /// remove it.
    ///
    /// [OData-Protocol 4.0, section 11.4.6.2: Remove a Reference to an Entity]
    private func enqueueRemoval(of navigation: ChangeableNavigation, from row: EntityRow) throws {
        let row = try located(.row(row))
        var update = record(.update, row)
        update.changeSet = transaction.changeSet
        let emptied = EntityPayload(bindings: [.init(navigation: navigation.property.name, references: [])])
        _ = try transaction.combine(emptied, with: row, as: update, references: [])
        guard try needsRemoval(of: navigation, from: row) else { return }
        var record = record(.removeReference, row)
        record.parent = row.named
        record.property = navigation.name
        try transaction.enqueue(record)
    }

    /// What the last request says that tells of the link: one that was not sent yet removes it, or makes the entity
    /// without it.
    private func needsRemoval(of navigation: ChangeableNavigation, from row: EntityRow) throws -> Bool {
        for record in try queue.records(naming: row.id).reversed() {
            guard record.row == row.id, !record.state.mayBeExecuted else { return true }
            switch record.operation {
            case .removeReference where record.property == navigation.name:
                return record.target != nil || record.targetURL != nil
            case .addReference where record.property == navigation.name: return true
            case .create, .update, .replace:
                let payload = try RequestLine.ifFit {
                    try RequestLine.read(record.body ?? .init(), of: row.table.set, transaction.offline)
                }
                let isBound = payload?.bindings.contains { $0.navigation == navigation.property.name } ?? true
                if isBound || record.operation == .create { return isBound || record.parent != nil }
            default: break
            }
        }
        return true
    }
}
