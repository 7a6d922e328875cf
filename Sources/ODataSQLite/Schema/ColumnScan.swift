import GRDB
import ODataModel
import ODataSQL

/// Scans all values of a table's columns: whether they fit the declared types, and in which form instants are stored.
struct ColumnScan {
    let db: Database
    let table: TableDescription

    /// The fits of the columns, in their order.
    func fits() throws -> [ColumnFit] {
        let types = table.columns.map { DeclaredType($0.declaredType) }
        let counts = try counts(types)
        return try zip(table.columns, types).enumerated().map { index, pair in
            if pair.1.meaning == .dateTime { return try instantFit(pair.0) }
            return fit(pair.0, pair.1, counts[index])
        }
    }

    /// `SELECT sum(<column 1 has a misfit>), sum(<…>), …, sum(<column 2 …>) FROM "table"`: one pass for all columns.
    private func counts(_ types: [DeclaredType]) throws -> [[Int]] {
        let conditions = zip(table.columns, types).map { Self.conditions(column: quoted($0.name), $1) }
        let sums = conditions.joined().map { "ifnull(sum(\($0)), 0)" }
        guard !sums.isEmpty else { return conditions.map { _ in [] } }
        var values: [Int] = []
        for start in stride(from: 0, to: sums.count, by: 500) {
            let part = sums[start..<min(start + 500, sums.count)].joined(separator: ", ")
            guard let row = try Row.fetchOne(db, sql: "SELECT \(part) FROM \(quoted(table.name))") else { continue }
            values += row.databaseValues.map { Int.fromDatabaseValue($0) ?? 0 }
        }
        var rest = values[...]
        return conditions.map { list in
            defer { rest = rest.dropFirst(list.count) }
            return Array(rest.prefix(list.count))
        }
    }

    /// The counts for a column: first of values that do not fit, then of those that narrow or widen the type.
    private static func conditions(column: String, _ declared: DeclaredType) -> [String] {
        let type = "typeof(\(column))"
        switch declared.meaning {
        case .integer(let integer):
            let range = integer.integerRange ?? .min ... .max
            let bounds =
                range.lowerBound == .min ? "0" : "\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
            return ["\(type) NOT IN ('null', 'integer')", bounds]
        case .real: return ["\(type) NOT IN ('null', 'integer', 'real')"]
        case .decimal:
            let scale = declared.scale.map { "\(type) = 'real' AND \(column) <> round(\(column), \($0))" } ?? "0"
            return ["\(type) NOT IN ('null', 'integer', 'real')", scale]
        case .boolean: return ["\(type) <> 'null' AND (\(type) <> 'integer' OR \(column) NOT IN (0, 1))"]
        case .text:
            return ["\(type) NOT IN ('null', 'text')", declared.maxLength.map { "length(\(column)) > \($0)" } ?? "0"]
        case .blob: return ["\(type) NOT IN ('null', 'blob')"]
        case .date: return ["\(type) <> 'null' AND (\(type) <> 'text' OR date(\(column), '+0 days') IS NOT \(column))"]
        case .time: return ["\(type) <> 'null' AND \(StoredForm.function)(\(column)) <> 'time'"]
        case .guid:
            return [
                "\(type) <> 'null' AND \(StoredForm.function)(\(column)) <> 'guid'",
                "\(type) <> 'null' AND (\(type) <> 'blob' OR length(\(column)) <> 16)", "\(type) <> 'null'",
            ]
        case .none: return ["integer", "real", "text", "blob"].map { "\(type) = '\($0)'" }
        case .dateTime: return []
        }
    }

    private func fit(_ column: ColumnDescription, _ declared: DeclaredType, _ counts: [Int]) -> ColumnFit {
        if declared.meaning == .none { return untypedFit(column, counts) }
        if declared.meaning == .guid { return guidFit(column, counts) }
        if declared.meaning == .blob, table.kind == .table, column.keyPosition == 0 { return ColumnFit(.stream, .blob) }
        guard counts.first == 0 else { return .misfit(column, of: table.name) }
        let isExact = counts.count < 2 || counts[1] == 0
        switch declared.meaning {
        case .integer(let type): return ColumnFit(isExact ? type : .int64, .integer)
        case .real: return ColumnFit(.double, .real)
        case .decimal:
            let scale = isExact ? declared.scale.map(EdmProperty.Scale.fixed) ?? .variable : .variable
            return ColumnFit(.decimal, .decimalNumber, precision: isExact ? declared.precision : nil, scale: scale)
        case .boolean: return ColumnFit(.boolean, .boolean)
        case .blob: return ColumnFit(.stream, .blob)
        case .date: return ColumnFit(.date, .date)
        case .time: return ColumnFit(.timeOfDay, .timeOfDay)
        case .text, .guid, .dateTime, .none:
            var fit = ColumnFit(.string, .text, maxLength: isExact ? declared.maxLength : nil)
            // SQLite compares such a column with numeric texts as with numbers.
            fit.isShown = ColumnAffinity(declaredType: column.declaredType) == .number
            return fit
        }
    }

    private func guidFit(_ column: ColumnDescription, _ counts: [Int]) -> ColumnFit {
        guard counts.count == 3, counts[0] > 0 else { return ColumnFit(.guid, .guidText) }
        return counts[1] == 0 ? ColumnFit(.guid, .guidBlob) : .misfit(column, of: table.name)
    }

    /// A column without a declared type: mostly an expression of a view.
    private func untypedFit(_ column: ColumnDescription, _ counts: [Int]) -> ColumnFit {
        guard counts.count == 4 else { return ColumnFit(.string, .text) }
        let kinds = counts.map { $0 > 0 }
        switch (kinds[0], kinds[1], kinds[2], kinds[3]) {
        case (true, false, false, false): return ColumnFit(.int64, .integer)
        case (_, true, false, false): return ColumnFit(.double, .real)
        case (false, false, false, true): return ColumnFit(.stream, .blob)
        case (false, false, _, false): return ColumnFit(.string, .text)
        default: return .mixed(column, of: table.name)
        }
    }
}
