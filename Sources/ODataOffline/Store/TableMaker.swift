import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// Makes the tables of a model when they are first needed.
struct TableMaker {
    let db: Database
    let schema: LocalSchema

    /// The live table of a set, those of what its entities contain, and the link tables at its ends.
    func make(_ set: String) throws {
        guard let table = schema.tables[set] else { return }
        if let error = table.set.nestedKeyError { throw error }
        if try !db.hasTable(table.name) {
            try db.execute(
                sql: table.definition(named: table.name, holderWords: StoreValues(db: db).holderWords))
            try makeIndexes(of: table)
        }
        for link in schema.links(of: set) where try !db.hasTable(link.name) {
            try db.execute(
                sql: link.definition(named: link.name, holderWords: StoreValues(db: db).holderWords))
            try db.execute(sql: link.index)
        }
        for contained in schema.contained(in: set) { try make(contained.set.name) }
    }

    func makeIndexes(of table: LocalTable) throws {
        let navigation = Array(schema.navigation(of: table.set.name).values)
        for statement in table.indexes(of: navigation) { try db.execute(sql: statement) }
    }

    /// The tables that keep the versions of locally changed rows, which are found by the ids of the rows.
    static func makeShadow(of table: LocalTable, in db: Database) throws {
        for name in [table.baseName, table.theirsName] where try !db.hasTable(name) {
            try db.execute(sql: table.definition(named: name, holderWords: 0, isUnique: false))
        }
    }

    /// Whether all tables for these sets are there.
    func has(_ sets: Set<String>) throws -> Bool {
        for set in sets {
            if let table = schema.tables[set], try !db.hasTable(table.name) { return false }
            if try !has(Set(schema.contained(in: set).map(\.set.name))) { return false }
        }
        return true
    }

    /// Gives every table with holder bits the words up to `word`.
    func makeHolderWords(upTo word: Int) throws {
        let values = StoreValues(db: db)
        let present = try values.holderWords
        guard word >= present else { return }
        let tables = try String.fetchAll(
            db,
            sql: """
                SELECT m."name" FROM sqlite_master m JOIN pragma_table_info(m."name") c
                WHERE m."type" = 'table' AND c."name" = \(quotedText(HolderSlot.column(0)))
                """)
        for table in tables {
            for word in present...word {
                try db.execute(
                    sql: "ALTER TABLE \(quoted(table)) ADD COLUMN \(LocalTable.holderDefinition(word: word))")
            }
        }
        try values.set("holderWords", word + 1)
    }
}
