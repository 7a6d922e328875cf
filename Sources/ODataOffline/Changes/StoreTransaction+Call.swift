import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Actions wait in the queue. What they do is known to the service only: nothing changes here until they are sent.
extension StoreTransaction {
    /// - Returns: The entity that the action is bound to, if it is one.
    func call(_ arguments: EdmComplexValue, at path: ResourcePath, _ request: ChangeRequest) throws -> EntityRow? {
        guard case .operation(let call)? = path.operationSegment, call.operation.kind == .action else {
            throw ODataError(.badRequest, "\(path.url) is not an action.")
        }
        _ = try ArgumentCheck(operation: call.operation, model: offline.model).checked(arguments)
        var binding = path
        if !binding.segments.isEmpty { binding.segments.removeLast() }
        let isBoundToEntity = !path.segments.isEmpty && binding.target == .entity
        let row = isBoundToEntity ? try ChangePlanner(self).require(binding) : nil
        var record = QueueRecord(
            .call, set: row?.table.set.name ?? "", row: row?.id ?? 0, repeatability: repeatability(),
            created: time.column)
        addOptions(to: &record)
        record.headers = request.headers
        record.targetURL = BoundQuery(path: path, options: request.resultOptions).url
        record.body = Data(EdmValue.complex(arguments).jsonText)
        if let row { try markChanged(row) }
        try enqueue(record, references: try rows(namedBy: .complex(arguments)))
        return row
    }

    /// The entities in the store that arguments of an action name by id.
    func rows(namedBy value: EdmValue) throws -> Set<Int64> {
        switch value {
        case .collection(let values): return try values.reduce(into: []) { $0.formUnion(try rows(namedBy: $1)) }
        case .complex(let complex):
            return try complex.members.reduce(into: []) { found, member in
                guard let id = EntityPayload.id(in: member) else {
                    return found.formUnion(try rows(namedBy: member.value))
                }
                if let row = try row(at: try self.path(of: .url(id))) { found.insert(row.id) }
            }
        default: return []
        }
    }
}
