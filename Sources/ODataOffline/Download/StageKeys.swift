import GRDB
import ODataSQL
import ODataSQLite

/// Makes the unique indexes of stages that were filled without them, which is faster than to keep them meanwhile, most of
/// all where keys are random.
///
/// Rows that were received several times become one, as the index would have made them: the first one, with the values
/// of the last.
struct StageKeys {
    private static let repeated = #"temp."$repeated""#

    let db: Database
    let root: QueryNode

    /// Whether the stage of a node has its unique index.
    static func areIndexed(in node: QueryNode, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: #"SELECT EXISTS (SELECT 1 FROM pragma_index_list(?) WHERE "unique" = 1)"#)
        return try Bool.fetchOne(statement, arguments: [node.stage]) ?? false
    }

    func makeIndexes() throws {
        for node in root.all where try !Self.areIndexed(in: node, db) {
            do { try makeIndex(of: node) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT
            {
                try unite(node)
                try makeIndex(of: node)
            }
        }
    }

    /// The index stays when the stage becomes the live table: no other download gives its name.
    private func makeIndex(of node: QueryNode) throws {
        let name = "$key$\(node.slot.number)$\(try StoreValues(db: db).download)"
        try db.execute(
            sql: "CREATE UNIQUE INDEX \(quoted(name)) ON \(quoted(node.stage)) (\(node.table.keyList))")
    }

    private func unite(_ node: QueryNode) throws {
        let stage = quoted(node.stage)
        try db.execute(
            sql: """
                CREATE TEMP TABLE "$repeated" ("id" INTEGER PRIMARY KEY, "first" INTEGER NOT NULL, "last" INTEGER NOT NULL)
                """)
        try db.execute(
            sql: """
                INSERT INTO \(Self.repeated) SELECT * FROM (
                SELECT \(.id), min(\(.id)) OVER "same" AS "first", max(\(.id)) OVER "same" AS "last" FROM \(stage)
                WINDOW "same" AS (PARTITION BY \(node.table.keyList))) WHERE "first" < "last"
                """)
        let keys = node.table.keyColumns
        let columns = node.asked.written.filter { !keys.contains($0) }.map { quoted($0) }.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE \(stage) SET (\(columns)) = (SELECT \(columns) FROM \(stage) AS l
                WHERE l.\(.id) = (SELECT r."last" FROM \(Self.repeated) AS r WHERE r."id" = \(stage).\(.id)))
                WHERE \(.id) IN (SELECT "first" FROM \(Self.repeated))
                """)
        for (column, table) in references(to: node) {
            try db.execute(
                sql: """
                    UPDATE OR IGNORE \(table) SET \(column) = (SELECT "first" FROM \(Self.repeated) WHERE "id" = \(column))
                    WHERE \(column) IN (\(Self.superfluous))
                    """)
        }
        // Links that the first row has too were left as they were.
        for (column, table) in links(of: node) {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(column) IN (\(Self.superfluous))")
        }
        try db.execute(sql: "DELETE FROM \(stage) WHERE \(.id) IN (\(Self.superfluous))")
        try db.execute(sql: "DROP TABLE \(Self.repeated)")
    }

    private static let superfluous = #"SELECT "id" FROM \#(repeated) WHERE "id" > "first""#

    /// The columns that hold the stage ids of a node's rows, with their tables.
    private func references(to node: QueryNode) -> [(column: String, table: String)] {
        let contained = node.children.filter { $0.node.table.container != nil }
        return contained.map { (HiddenColumn.parent.sqlName, quoted($0.node.stage)) } + links(of: node)
    }

    private func links(of node: QueryNode) -> [(column: String, table: String)] {
        root.all.flatMap { parent in
            parent.children.flatMap { child -> [(column: String, table: String)] in
                guard case .link(_, let isReversed) = child.storage else { return [] }
                let (near, far) = isReversed ? ("target", "source") : ("source", "target")
                let table = quoted(child.node.stageLinks)
                return (parent.slot == node.slot ? [(quoted(near), table)] : [])
                    + (child.node.slot == node.slot ? [(quoted(far), table)] : [])
            }
        }
    }
}

extension QueryNode {
    /// Of this node and those below it, the ones whose stages get their unique index after all rows are there: the
    /// result has each of their entities once, unless the service repeats it.
    var withoutRepetition: [QueryNode] {
        [self] + children.filter(\.belongsToOne).flatMap(\.node.withoutRepetition)
    }
}

extension QueryNode.Child {
    /// Whether each of its entities is related to one entity of the parent.
    fileprivate var belongsToOne: Bool {
        switch storage {
        case .columns(_, _, let isDependent): !isDependent
        case .link(let link, let isReversed): isReversed ? link.isSourceUnique : link.isTargetUnique
        }
    }
}
