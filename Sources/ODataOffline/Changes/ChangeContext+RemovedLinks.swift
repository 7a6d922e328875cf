import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Updates that remove the link of a single-valued navigation property: `"Category@odata.bind":null`.
///
/// Dependent properties of referential constraints become null, in the update itself. A link without a constraint takes a
/// request of its own, `DELETE Products(1)/Category/$ref`: before 4.01 an update cannot do it.
///
/// [OData-Protocol 4.0, section 11.4.6.2: Remove a Reference to an Entity]
extension ChangeContext {
    /// Takes the links that an update removes out of it.
    ///
    /// - Returns: The navigation properties that take requests of their own.
    func takeRemovedLinks(from payload: inout EntityPayload, of row: EntityRow) throws -> [String] {
        var links: [String] = []
        for navigation in payload.takeRemovedLinks(of: try entityType(of: row)) {
            switch try relation(navigation.name, of: row) {
            case .columns(let pairs, _, true)?:
                try checkOptional(pairs.map(\.source), of: row.table, navigation)
                for pair in pairs {
                    guard let column = row.table.columns.first(where: { $0.name == pair.source }) else { continue }
                    payload.properties[column.property.name] = .null
                }
            case .columns(_, _, false)?:
                throw ODataError(
                    .notImplemented, "\(navigation.name) is changed at the entities it leads to, or by $ref.")
            case .link(let link, let isReversed)?:
                try removeLink(link, from: row.id, to: nil, isReversed: isReversed)
                links.append(navigation.name)
            case nil:
                throw ODataError.unkept(navigation.name)
            }
        }
        return links
    }

    /// Queues the removal of links, where the requests that are queued already do not say so.
    func enqueueRemovals(of links: [String], from row: EntityRow, headers: [HeaderField]) throws {
        for link in links {
            let name = try navigationName(link, of: row)
            guard try needsRemoval(of: link, name, from: row) else { continue }
            var record = record(.removeReference, row)
            record.parent = row.named
            record.property = name
            record.headers = headers
            try enqueue(record)
        }
    }

    /// What the last request says that tells of the link: one that was not sent yet removes it, or makes the entity
    /// without it.
    private func needsRemoval(of link: String, _ name: String, from row: EntityRow) throws -> Bool {
        for record in try queue.records(naming: row.id).reversed() {
            guard record.row == row.id, !record.state.mayBeExecuted else { return true }
            switch record.operation {
            case .removeReference where record.property == name: return record.target != nil || record.targetURL != nil
            case .addReference where record.property == name: return true
            case .create, .update, .replace:
                let payload = try RequestLine.ifFit {
                    try RequestLine.read(record.body ?? .init(), of: row.table.set, offline)
                }
                let isBound = payload?.bindings.contains { $0.navigation == link } ?? true
                if isBound || record.operation == .create { return isBound || record.parent != nil }
            default: break
            }
        }
        return true
    }
}
