import ODataSQL

/// The triggers that keep the change log. They use only SQLite's own functions, so that every program that writes
/// to the file keeps it; and no statement of theirs can meet a conflict, since the `OR IGNORE` of the statement that
/// fires a trigger would apply inside it.
struct ChangeTriggers {
    private let table: PublishedTable
    private let old: String
    private let new: String

    private init(_ table: PublishedTable) {
        self.table = table
        old = RowSourceBuilder.keyJSON(table, row: "OLD").text
        new = RowSourceBuilder.keyJSON(table, row: "NEW").text
    }

    /// The `CREATE TRIGGER` statements for all of `tables` that can be tracked, by trigger name.
    static func all(_ tables: [PublishedTable]) -> [String: String] {
        let triggers = tables.filter(isTracked).flatMap { ChangeTriggers($0).statements() }
        return Dictionary(triggers) { first, _ in first }
    }

    static func isTracked(_ table: PublishedTable) -> Bool {
        !table.isReadOnly && table.declared?.container == nil && !table.key.isEmpty
    }

    private func statements() -> [(String, String)] {
        var triggers = [
            trigger(
                "insert", "AFTER INSERT", [forget(new), log(new, "I")] + table.allStreams.map { renew($0, [new]) }),
            trigger(
                "update", "AFTER UPDATE",
                [
                    forget("\(old), \(new)"), "\(insert) SELECT \(name), \(old), 'D' WHERE \(old) <> \(new)",
                    log(new, "U"),
                ]),
            trigger(
                "delete", "AFTER DELETE",
                [forget(old), log(old, "D")] + (table.allStreams.isEmpty ? [] : [forgetStreams])),
        ]
        for (index, stream) in table.allStreams.enumerated() {
            let columns = ([stream.column] + table.key.map(\.name)).map(quoted).joined(separator: ", ")
            triggers.append(trigger("stream\(index)", "AFTER UPDATE OF \(columns)", [renew(stream, [old, new])]))
        }
        for (index, columns) in rivalIndexes.enumerated() {
            let list = columns.map(quoted).joined(separator: ", ")
            triggers.append(trigger("replace\(index)", "BEFORE INSERT", logRivals(columns)))
            triggers.append(trigger("move\(index)", "BEFORE UPDATE OF \(list)", logRivals(columns)))
        }
        return triggers
    }

    private func trigger(_ suffix: String, _ event: String, _ statements: [String]) -> (String, String) {
        let trigger = "\(Bookkeeping.prefix)\(suffix)_\(table.name)"
        let body = statements.joined(separator: ";\n  ")
        return (trigger, "CREATE TRIGGER \(quoted(trigger)) \(event) ON \(quoted(table.name)) BEGIN\n  \(body);\nEND")
    }

    private var name: String { quotedText(table.name) }

    private var insert: String { "INSERT INTO \(Bookkeeping.changeLog) (tbl, key, kind)" }

    private func forget(_ keys: String) -> String {
        "DELETE FROM \(Bookkeeping.changeLog) WHERE tbl = \(name) AND key IN (\(keys))"
    }

    private func log(_ key: String, _ kind: String) -> String { "\(insert) VALUES (\(name), \(key), '\(kind)')" }
}

extension ChangeTriggers {
    /// A stream's version is random: the same content written again counts as another.
    private func renew(_ stream: PublishedStream, _ keys: [String]) -> String {
        let column = quotedText(stream.column)
        return """
            DELETE FROM \(Bookkeeping.streams) WHERE tbl = \(name) AND key IN (\(keys.joined(separator: ", "))) \
            AND col = \(column);
              INSERT INTO \(Bookkeeping.streams) (tbl, key, col, version) \
            VALUES (\(name), \(new), \(column), hex(randomblob(8)))
            """
    }

    private var forgetStreams: String { "DELETE FROM \(Bookkeeping.streams) WHERE tbl = \(name) AND key = \(old)" }

    /// Unique indexes besides the key's: `INSERT OR REPLACE` deletes rows that hold the same values there, and fires
    /// no trigger for them.
    private var rivalIndexes: [[String]] {
        let key = Set(table.key.map(\.name))
        return table.description.uniqueIndexes.filter { Set($0) != key }
    }

    private func logRivals(_ columns: [String]) -> [String] {
        let key = RowSourceBuilder.keyJSON(table, row: "r").text
        let same = columns.map { "r.\(quoted($0)) = NEW.\(quoted($0))" }.joined(separator: " AND ")
        let rivals = "FROM \(quoted(table.name)) r WHERE \(same)"
        return [
            "DELETE FROM \(Bookkeeping.changeLog) WHERE tbl = \(name) AND key IN (SELECT \(key) \(rivals))",
            "\(insert) SELECT \(name), \(key), 'U' \(rivals)",
        ]
    }
}
