import OData

/// A named value of a row that is not an entity.
struct ListColumn {
    var name: String
    var value: EdmValue

    init(_ name: String, _ value: EdmValue) {
        self.name = name
        self.value = value
    }

    init(_ name: String, _ text: String?) {
        self.init(name, text.map(EdmValue.string) ?? .null)
    }
}

/// Prints lists of the store's own: queries, requests, errors, status.
struct ListPrinter {
    let format: OutputFormat

    /// In JSON `{"value":[…]}`; members that are null are left out of nothing: they are printed as null.
    func print(_ rows: [[ListColumn]], columns: [String]) {
        guard format == .json else {
            let table = ResultTable(
                columns: columns,
                rows: rows.map { row in
                    columns.map { name in
                        row.first { $0.name == name }.flatMap { $0.value.isNull ? nil : $0.value.lexical }
                    }
                }, numbers: Self.numbers(rows))
            table.print(as: format)
            return
        }
        let objects = rows.map { row in
            EdmValue.complex(EdmComplexValue(row.map { .init(name: $0.name, value: $0.value) }))
        }
        let document = EdmValue.complex(["value": .collection(objects)])
        JSONOutput.print(document.jsonText)
    }

    private static func numbers(_ rows: [[ListColumn]]) -> Set<String> {
        let values = Dictionary(grouping: rows.joined().filter { !$0.value.isNull }, by: \.name)
        return Set(values.filter { $0.value.allSatisfy(\.value.isNumber) }.keys)
    }
}

extension EdmValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }
}
