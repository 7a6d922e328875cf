import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Makes the columns of an entity of a declared model out of payloads.
struct DeclaredAssignments {
    enum Mode {
        case create
        /// PATCH
        case merge
        /// PUT
        case replace
    }

    let access: RowAccess
    let table: PublishedTable
    let declared: DeclaredTable
    /// The type of the entity.
    let type: EdmStructuredType
    let mode: Mode
    /// Nil for a new entity.
    var row: RowReference?
    /// Whether values are taken that clients cannot set.
    var isLoading = false

    var check: ValueCheck { ValueCheck(model: access.schema.model) }

    /// The columns that a payload sets. What clients cannot set is passed over.
    func columns(_ properties: EdmComplexValue) throws -> ColumnAssignments {
        var assignments = ColumnAssignments()
        var dynamic: [EdmComplexValue.Member] = []
        for member in properties.members {
            guard let property = type.property(named: member.name) else {
                guard declared.isOpen, type.isOpen else {
                    throw ODataError.undeclared(member.name, by: type.name)
                }
                dynamic.append(member)
                continue
            }
            guard !property.isStream, let column = table.column(ofProperty: member.name) else { continue }
            guard takes(column, property, member.value) else { continue }
            let value = try merged(member.value, column, property)
            assignments[column.name] = .value(try stored(value, column, property))
        }
        if !dynamic.isEmpty || (mode == .replace && declared.isOpen) {
            var values = mode == .merge ? try currentDynamic() : EdmComplexValue()
            for member in dynamic { values[member.name] = member.value.isNull ? nil : member.value }
            assignments[DeclaredTable.dynamicColumn] = .value(values.dynamicStored)
        }
        return assignments
    }

    /// Whether a client's value counts.
    private func takes(_ column: PublishedColumn, _ property: EdmProperty, _ value: EdmValue) -> Bool {
        if isLoading { return true }
        if property.isTagged(EdmAnnotation.computed) { return false }
        if let computed = column.computed, computed != .slug { return false }
        if mode == .create { return !(column.isServiceMade && value.isNull) }
        return !column.isKey && !property.isTagged(EdmAnnotation.immutable)
    }

    /// A PATCH of a complex value keeps the members that it does not name.
    ///
    /// [OData-Protocol, section 11.4.3]
    private func merged(_ value: EdmValue, _ column: PublishedColumn, _ property: EdmProperty) throws -> EdmValue {
        guard mode == .merge, case .complex(let given) = value, let row,
            case .complex(let known) = try current(column, property, row)
        else { return value }
        return .complex(known.merging(given))
    }

    /// The value that a structured property has now.
    func current(_ column: PublishedColumn, _ property: EdmProperty, _ row: RowReference) throws -> EdmValue {
        guard case .string(let text)? = try access.stored([column.name], of: row, in: table).first?.storage else {
            return .null
        }
        return EdmValue(jsonText: Array(text.utf8)[...], type: property.type, model: access.schema.model) ?? .null
    }

    /// `value`, checked, as the column holds it.
    func stored(_ value: EdmValue, _ column: PublishedColumn, _ property: EdmProperty) throws -> DatabaseValue {
        let checked = try ODataError.checking { () throws(ValueProblem) in
            try check.value(value, for: property, at: property.name)
        }
        guard column.codec == .json else { return try column.codec.binding(for: checked).stored }
        guard !checked.isNull else { return .null }
        let json = checked.jsonText(type: property.type, model: access.schema.model)
        return String(decoding: json, as: UTF8.self).databaseValue
    }

    /// The dynamic properties that the entity has now.
    ///
    /// - Throws: ``ODataError`` if the column holds something else than a JSON object.
    func currentDynamic() throws -> EdmComplexValue {
        guard let row else { return EdmComplexValue() }
        let stored = try access.stored([DeclaredTable.dynamicColumn], of: row, in: table).first ?? .null
        return try EdmComplexValue(dynamic: stored, in: access.schema.model)
    }
}
