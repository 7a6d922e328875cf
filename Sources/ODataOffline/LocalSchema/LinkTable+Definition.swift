import ODataSQL
import ODataSQLite

extension LinkTable {
    package func definition(named name: String, holderWords: Int, heldBy slot: HolderSlot? = nil) -> String {
        let holders = (0..<holderWords).map { LocalTable.holderDefinition(word: $0, slot: slot) }
        let parts =
            [#""source" INTEGER NOT NULL"#, #""target" INTEGER NOT NULL"#, "\(.state) INTEGER NOT NULL DEFAULT 0"]
            + holders + [#"UNIQUE ("source", "target")"#]
        return "CREATE TABLE \(quoted(name)) (\(parts.joined(separator: ", ")))"
    }

    package var index: String {
        "CREATE INDEX IF NOT EXISTS \(quoted("\(name)$$target")) ON \(quoted(name)) (\"target\", \"source\")"
    }
}
