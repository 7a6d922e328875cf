import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Puts changes that wait on top of a version of their row that came from the service.
struct ChangeReplay {
    let context: StoreTransaction
    let row: EntityRow

    func run(_ records: [QueueRecord]) throws {
        for record in records { try run(record) }
    }

    private func run(_ record: QueueRecord) throws {
        switch record.operation {
        case .create, .update, .replace:
            let line = RequestLine(db: context.db, offline: context.offline)
            guard let payload = try RequestLine.ifFit({ try line.payload(of: record) }) else { return }
            try context.write(payload.properties, to: row, replacing: record.operation != .update)
            try bind(payload)
        case .createMedia:
            try context.write(EdmComplexValue(), to: row, replacing: true)
            try setStream(record, record.digest, type: record.contentType)
        case .replaceStream: try setStream(record, record.digest, type: record.contentType)
        case .deleteStream: try setStream(record, nil, type: nil)
        case .addReference, .removeReference: try relate(record)
        default: break
        }
    }

    private func setStream(_ record: QueueRecord, _ digest: String?, type: String?) throws {
        guard let stream = row.table.stream(of: record.property) else { return }
        try context.set(stream.content(digest, type: type), of: row)
    }

    /// Navigation properties of an update that are kept in columns of the row.
    private func bind(_ payload: EntityPayload) throws {
        for binding in payload.bindings {
            guard
                case .columns(let pairs, _, true)? = try context.storage(binding.navigation, of: row)
            else { continue }
            try refer(to: try binding.references.first.map(context.path), pairs)
        }
    }

    /// A reference to an entity that is no longer in the store is reported when the request is sent: the navigation
    /// property stays as it is.
    private func refer(to target: @autoclosure () throws -> ResourcePath?, _ pairs: [NavigationMapping.ColumnPair])
        throws
    {
        do { try context.refer(from: row, pairs, to: target()) } catch let error as ODataError
            where error.code == .notFound || error.code == .badRequest
        {}
    }

    /// `$ref` of a navigation property that is kept in columns: of the row itself, or of what its parent leads to.
    private func relate(_ record: QueueRecord) throws {
        guard let parent = record.parent, let name = record.property,
            case .columns(let pairs, _, let isDependent)? = context.schema.storage(of: parent.set, name)
        else { return }
        let isAdded = record.operation == .addReference
        if isDependent {
            let line = RequestLine(db: context.db, offline: context.offline)
            guard isAdded else { return try refer(to: nil, pairs) }
            let known = try record.target.flatMap(line.entityPath)
            return try refer(to: try known ?? record.targetURL.map { try context.path(of: .url($0)) }, pairs)
        }
        // What is not in the store any more is told when the request is sent.
        guard let table = context.schema.tables[parent.set], let principal = try? context.row(parent.row, in: table)
        else { return }
        for pair in pairs {
            let value = isAdded ? try context.storedValue(of: pair.source, of: principal) : .null
            try context.set([(pair.target, value)], of: row)
        }
    }
}
