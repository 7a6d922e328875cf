import GRDB
import ODataModel
import ODataSQL
import ODataStores

extension DeclaredAssignments {
    /// What a stream tells of the media entity that it is made of.
    struct MediaFacts {
        var length: Int64
        var type: String?
        var slug: String?
    }

    /// Gives a new entity its type, and the values that the client did not give.
    ///
    /// - Parameter isFilled: Whether properties that must have a value get an empty one, as those of a media entity do
    ///   that is made of its stream alone.
    func complete(_ assignments: inout ColumnAssignments, media: MediaFacts? = nil, isFilled: Bool = false) throws {
        if declared.hasTypes { assignments[DeclaredTable.typeColumn] = .value("\(type.name)".databaseValue) }
        for column in table.columns where !assignments.has(column.name) {
            guard let property = type.property(named: column.property) else { continue }
            if let computed = column.computed, let value = made(computed, property, media) {
                assignments[column.name] = .value(try stored(value, column, property))
            } else if column.isServiceMade {
                assignments[column.name] = .value(try newKey(column))
            } else if !column.isKey {
                let value = try standard(property, isFilled: isFilled)
                if !value.isNull { assignments[column.name] = .value(try stored(value, column, property)) }
            }
        }
    }

    /// Sets what is not given to its default.
    ///
    /// [OData-Protocol, section 11.4.3: Update an Entity]
    func fillWithDefaults(_ assignments: inout ColumnAssignments) throws {
        for column in table.columns where !column.isKey && !assignments.has(column.name) && column.computed == nil {
            guard let property = type.property(named: column.property), !property.isTagged(EdmAnnotation.immutable),
                !property.isTagged(EdmAnnotation.computed)
            else { continue }
            let value = try standard(property)
            assignments[column.name] = .value(try stored(value, column, property))
        }
    }

    private func standard(_ property: EdmProperty, isFilled: Bool) throws -> EdmValue {
        do { return try standard(property) } catch {
            guard isFilled, let empty = property.emptyValue else { throw error }
            return empty
        }
    }

    private func standard(_ property: EdmProperty) throws -> EdmValue {
        try ODataError.checking { () throws(ValueProblem) in
            try check.standard(property, at: property.name)
        }
    }

    private func made(_ rule: ComputedValue, _ property: EdmProperty, _ media: MediaFacts?) -> EdmValue? {
        switch rule {
        case .version: .integer(1)
        case .creationTime, .changeTime: access.now.value(for: property)
        case .mediaLength: media.map { .integer($0.length) } ?? (property.isNullable ? nil : .integer(0))
        case .mediaType: media?.type.map(EdmValue.string)
        case .typeName: .string(type.name.name)
        case .slug: media?.slug.map(EdmValue.string)
        }
    }

    private func newKey(_ column: PublishedColumn) throws -> DatabaseValue {
        if column.type == .guid {
            return try column.codec.binding(for: .guid(access.newGuid())).stored
        }
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

extension EdmProperty {
    /// Zero, `''`, false, 1970-01-01.
    fileprivate var emptyValue: EdmValue? {
        let day = EdmDate(daysSinceEpoch: 0)
        switch type.primitive {
        case .string: return .string("")
        case .boolean: return .boolean(false)
        case .guid: return .guid(EdmGuid(high: 0, low: 0))
        case .date: return .date(day)
        case .dateTimeOffset: return .dateTimeOffset(EdmDateTimeOffset(date: day, time: .midnight))
        case .timeOfDay: return .timeOfDay(.midnight)
        case .duration: return .duration(EdmDuration(seconds: 0))
        case .binary: return .binary([])
        case .some(let type) where type.isNumeric: return .integer(0)
        default: return nil
        }
    }
}
