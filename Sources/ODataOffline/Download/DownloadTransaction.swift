import GRDB
import ODataStores

/// Runs transactions of one defining query's download, which save its state machine. The query may have been removed
/// since the last one.
struct DownloadTransaction: Sendable {
    let database: StoreDatabase

    func run<Result: Sendable>(
        _ machine: QueryDownloadMachine,
        _ body: @escaping @Sendable (inout QueryDownloadMachine, Database) throws -> Result
    ) async throws -> (Result, QueryDownloadMachine) {
        try await database.writing { db in
            var machine = machine
            let (id, name) = (machine.record.id, machine.record.definition.name)
            guard try Bool.fetchOne(db, sql: #"SELECT TRUE FROM \#(.query) WHERE "id" = ?"#, arguments: [id]) != nil
            else {
                throw ODataError(.conflict, "The defining query \(name) was removed meanwhile.")
            }
            let result = try body(&machine, db)
            try machine.record.save(in: db)
            return (result, machine)
        }
    }
}
