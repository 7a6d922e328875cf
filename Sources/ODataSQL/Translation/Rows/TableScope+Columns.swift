import ODataModel

extension TableScope {
    /// All columns of the table, for a table of the statement's own.
    var ownColumns: [SQLFragment] {
        guard members.isEmpty else {
            return members.sorted { $0.key < $1.key }.flatMap { name, member in
                member.source.columns.sorted { $0.key < $1.key }.map { property, column in
                    member.column(column.column).named("\(name)/\(property)")
                }
            }
        }
        var columns = [SQLFragment.identifier(alias) + ".*"]
        // `*` does not contain a row id that is not a declared column.
        if let id = source.rowID, ["rowid", "_rowid_", "oid"].contains(id.lowercased()) {
            columns.append(column(id).named(id))
        }
        return columns
    }

    /// The rows in a table of the statement's own, which has ``ownColumns``.
    var definedSource: RowSource {
        var source = self.source
        source.condition = nil
        for (name, member) in members {
            source.navigation[name] = .columns(
                member.set.type.key.map {
                    .init(source: "\(name)/\($0)", target: member.source.columns[$0]?.column ?? $0)
                },
                target: name)
            for (property, column) in member.source.columns {
                source.columns["\(name)/\(property)"] = ColumnMapping(
                    column: "\(name)/\(property)", codec: column.codec)
            }
        }
        return source
    }
}
