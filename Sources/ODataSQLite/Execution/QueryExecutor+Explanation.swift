import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension QueryExecutor {
    /// The statements of a query; those of expanded navigation properties follow the one of their parent.
    ///
    /// - Throws: ``ODataError`` for what the store does not support.
    package func statements(for query: BoundQuery) throws -> [SQLStatement] {
        do {
            let query = try query.unrolled(model: model, limit: maxLevels)
            switch query.path.target {
            case .property: return [try translator.value(of: query).sql]
            case .entity, .collection:
                if query.path.suffix == .count { return [try translator.count(of: query)] }
                let plan = try QueryPlan(
                    query, shape: try shape(of: query), extent: ReadExtent(), limit: nil, translator: translator)
                let count = query.options.count ? [try translator.count(of: query)] : []
                return [plan.statement.sql] + count + plan.expands.flatMap(\.statements)
            case .stream, .value, .nothing:
                throw ODataError(.notImplemented, "There is no SQL for \(query.path.url).")
            }
        } catch { throw ODataError(reading: error) }
    }

    /// The SQL of ``statements(for:)``, each followed by the values of its parameters.
    package func explanation(of query: BoundQuery) throws -> [String] {
        try statements(for: query).map(\.explanation)
    }
}

extension ExpandPlan {
    /// The statements for the members, followed by those of the members' expanded navigation properties.
    fileprivate var statements: [SQLStatement] {
        (rows.map { [$0.statement.sql] } ?? []) + (counts.map { [$0] } ?? []) + children.flatMap(\.statements)
    }
}

extension SQLStatement {
    /// The text, and a line with the bindings as comment: `-- 1: 20, 2: 'Chai'`.
    fileprivate var explanation: String {
        guard !bindings.isEmpty else { return text }
        let list = bindings.enumerated().map { "\($0 + 1): \($1.explanation)" }
        return text + "\n-- " + list.joined(separator: ", ")
    }
}

extension SQLBinding {
    fileprivate var explanation: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): quotedText(text).replacingNewlines
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension String {
    /// On one line.
    fileprivate var replacingNewlines: String {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "⏎")
    }
}
