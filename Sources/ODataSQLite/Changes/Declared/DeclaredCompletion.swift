import GRDB
import ODataModel
import ODataSQL
import ODataStores

/// Gives a new entity of a declared model its type, and the values that the client did not give.
struct DeclaredCompletion {
    let access: RowAccess
    let table: PublishedTable
    let declared: DeclaredTable
    let type: EdmStructuredType

    /// - Parameter media: The stream that the entity is made of: properties that must have a value and have no default
    ///   then get an empty one, because the PATCH with the properties follows.
    func complete(_ columns: inout ColumnAssignments, media: ReceivedMedia? = nil) throws {
        if declared.hasTypes { columns[DeclaredTable.typeColumn] = .value("\(type.name)".databaseValue) }
        for column in table.columns where !columns.has(column.name) {
            guard let property = type.property(named: column.property) else { continue }
            if let computed = column.computed, let value = made(computed, property, media) {
                columns[column.name] = .value(try column.stored(value, access.schema.model))
            } else if column.isServiceMade {
                columns[column.name] = .value(try newKey(column))
            } else if !column.isKey {
                let value = try omitted(property, isFilled: media != nil)
                if !value.isNull { columns[column.name] = .value(try column.stored(value, access.schema.model)) }
            }
        }
    }

    private func omitted(_ property: EdmProperty, isFilled: Bool) throws -> EdmValue {
        do { return try property.omitted(in: access.schema.model) } catch {
            guard isFilled, let empty = property.type.primitive?.emptyValue else { throw error }
            return empty
        }
    }

    private func made(_ rule: ComputedValue, _ property: EdmProperty, _ media: ReceivedMedia?) -> EdmValue? {
        switch rule {
        case .version: .integer(1)
        case .creationTime, .changeTime: access.now.value(for: property)
        case .mediaLength: media.map { .integer($0.upload.length) } ?? (property.isNullable ? nil : .integer(0))
        case .mediaType: media?.type.map(EdmValue.string)
        case .typeName: .string(type.name.name)
        case .slug: media?.slug.map(EdmValue.string)
        }
    }

    private func newKey(_ column: PublishedColumn) throws -> DatabaseValue {
        if column.type == .guid { return try column.codec.binding(for: .guid(access.newGuid())).stored }
        let last = try Int64.fetchOne(
            access.db, sql: "SELECT max(\(quoted(column.name))) FROM \(quoted(table.name))")
        return ((last ?? 0) + 1).databaseValue
    }
}

extension EdmDateTimeOffset {
    fileprivate func value(for property: EdmProperty) -> EdmValue {
        switch property.type.primitive {
        case .date: .date(date)
        case .timeOfDay: .timeOfDay(time)
        default: .dateTimeOffset(self)
        }
    }
}

extension EdmPrimitiveType {
    /// Zero, `''`, false, 1970-01-01.
    var emptyValue: EdmValue? {
        let day = EdmDate(daysSinceEpoch: 0)
        switch self {
        case .string: return .string("")
        case .boolean: return .boolean(false)
        case .guid: return .guid(EdmGuid(high: 0, low: 0))
        case .date: return .date(day)
        case .dateTimeOffset: return .dateTimeOffset(EdmDateTimeOffset(date: day, time: .midnight))
        case .timeOfDay: return .timeOfDay(.midnight)
        case .duration: return .duration(EdmDuration(seconds: 0))
        case .binary: return .binary([])
        default: return isNumeric ? .integer(0) : nil
        }
    }
}
