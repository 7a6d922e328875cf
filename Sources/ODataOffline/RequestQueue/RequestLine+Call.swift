import Foundation
import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores

/// Actions: what they are called on is kept as a URL, and their arguments as JSON.
extension RequestLine {
    /// What an action is called on, with the options for its result.
    func call(of record: QueueRecord) throws -> BoundQuery {
        var query: BoundQuery
        do { query = try offline.parser.query(record.targetURL ?? "") } catch {
            throw ODataError(
                .unusableStore, "The action of the queued request \(record.id) is not in the metadata.", cause: error)
        }
        query.path = try PathResolver(db: db, schema: offline.schema).resolve(query.path)
        return query
    }

    /// The arguments with real keys in the place of temporary ones, where they are known.
    func arguments(of record: QueueRecord) throws -> EdmComplexValue {
        guard case .operation(let call)? = try path(of: record).operationSegment else { return EdmComplexValue() }
        do {
            let arguments = try JSONPayload.parameters(
                [UInt8](record.body ?? Data()), of: call.operation, model: offline.model)
            return EdmComplexValue(try arguments.members.map { .init(name: $0.name, value: try resolved($0.value)) })
        } catch let error as FormatError {
            throw ODataError(.unusableStore, "The body of a queued request cannot be read: \(error)", cause: error)
        }
    }

    private func resolved(_ value: EdmValue) throws -> EdmValue {
        switch value {
        case .collection(let values): return .collection(try values.map(resolved))
        case .complex(let complex):
            let members = try complex.members.map { member -> EdmComplexValue.Member in
                guard let id = EntityPayload.id(in: member) else {
                    return .init(name: member.name, value: try resolved(member.value))
                }
                return .init(name: member.name, value: .string(try resolved(EntityReference.url(id)).url))
            }
            return .complex(EdmComplexValue(members))
        default: return value
        }
    }
}

extension ResourcePath {
    /// The operation that the path ends with, as a segment.
    var operationSegment: Segment? {
        if case .operation? = segments.last { return segments.last }
        if segments.isEmpty, case .operation(let call) = root { return .operation(call) }
        return nil
    }
}

extension EntityPayload {
    /// The id of an entity that is an argument of an action: `"@odata.id": "Orders(1)"`.
    static func id(in member: EdmComplexValue.Member) -> String? {
        guard member.name == "@odata.id" || member.name == "@id", case .string(let id) = member.value else {
            return nil
        }
        return id
    }
}
