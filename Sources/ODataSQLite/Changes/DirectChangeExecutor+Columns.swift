import GRDB
import ODataModel
import ODataSQL
import ODataStores

extension DirectChangeExecutor {
    /// The columns of checked values. Dynamic properties are one column.
    func columns(
        of values: EdmComplexValue, _ type: EdmStructuredType, in table: PublishedTable, row: LocatedEntity? = nil,
        replaces: Bool = false
    ) throws -> ColumnAssignments {
        var columns = ColumnAssignments()
        var dynamic: [EdmComplexValue.Member] = []
        for member in values.members {
            if type.property(named: member.name) == nil {
                dynamic.append(member)
            } else if let column = table.column(ofProperty: member.name) {
                columns[column.name] = .value(try column.stored(member.value, rows.model))
            }
        }
        guard !dynamic.isEmpty || replaces && table.declared?.isOpen == true else { return columns }
        var known =
            try row.map { replaces ? EdmComplexValue() : try rows.dynamicProperties(of: $0) } ?? EdmComplexValue()
        for member in dynamic { known[member.name] = member.value.isNull ? nil : member.value }
        columns[DeclaredTable.dynamicColumn] = .value(known.dynamicStored)
        return columns
    }

    /// Sets what a PUT does not name to its default.
    ///
    /// [OData-Protocol, section 11.4.3: Update an Entity]
    func reset(_ properties: [EdmProperty], in columns: inout ColumnAssignments, of table: PublishedTable) throws {
        for property in properties {
            guard let column = table.column(ofProperty: property.name), column.computed == nil,
                !column.description.isGenerated
            else { continue }
            if table.declared == nil {
                columns[column.name] = column.description.defaultSQL.map { .sql($0) } ?? .value(.null)
            } else {
                columns[column.name] = .value(try column.stored(property.omitted(in: rows.model), rows.model))
            }
        }
    }

    /// The version and the time of the change.
    func touch(_ columns: inout ColumnAssignments, of table: PublishedTable) throws {
        guard table.declared != nil, !rows.isLoading else { return }
        for column in table.columns {
            switch column.computed {
            case .version: columns[column.name] = .sql("ifnull(\(quoted(column.name)), 0) + 1")
            case .changeTime:
                columns[column.name] = .value(try column.codec.binding(for: .dateTimeOffset(access.now)).stored)
            default: break
            }
        }
    }
}

extension PublishedColumn {
    /// A checked value as the column holds it.
    func stored(_ value: EdmValue, _ model: EdmModel) throws -> DatabaseValue {
        guard let declaration else { return try stored(value) }
        guard codec == .json else { return try codec.binding(for: value).stored }
        guard !value.isNull else { return .null }
        return String(decoding: value.jsonText(type: declaration.type, model: model), as: UTF8.self).databaseValue
    }
}

extension EdmProperty {
    /// The value of a property that a change omits.
    func omitted(in model: EdmModel) throws -> EdmValue {
        try ODataError.checking { () throws(ValueProblem) in
            try ValueCheck(model: model).standard(self, at: name)
        }
    }
}
