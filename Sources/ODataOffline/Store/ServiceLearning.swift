import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// What an offline store remembers about its service for the online store, and learns from that again.
struct ServiceLearning {
    /// Nil for a store that learns nothing.
    let service: (any LearningStore)?
    /// Its database may be another one when the work ends: that of a rebuild.
    let state: StoreState

    /// Runs `body`, which may send requests, with what earlier responses have shown about the service. What they show
    /// now is stored.
    func learning<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let service else { return try await body() }
        let kept = try await state.database.reading { try StoreValues(db: $0).traits }
        service.learn(kept)
        do {
            let result = try await body()
            await keep(service.learnedTraits, besides: kept)
            return result
        } catch {
            await keep(service.learnedTraits, besides: kept)
            throw error
        }
    }

    /// What was done is done, whether this can be written or not: the responses will report it again.
    private func keep(_ traits: LearnedTraits, besides kept: LearnedTraits) async {
        guard traits != kept else { return }
        try? await state.database.writingDurably { db in try StoreValues(db: db).setTraits(traits) }
    }

    /// Gives the online store the edit links of the entities in requests, as the service returned them before.
    func tellEditLinks(_ offline: OfflineModel) async throws {
        guard let service else { return }
        let links = try await state.database.reading { db in
            try offline.schema.tables.values.flatMap { table in try EditLinkTable(db: db, table: table).ofQueue() }
        }
        for (path, link) in links { service.learn(editLink: link, of: path) }
    }

    /// The app has found out that requests were executed whose responses did not report the version.
    func noteExecuted(_ unproven: Set<String>) {
        for kind in unproven { service?.noteExecuted(unproven: kind) }
    }
}

/// The edit links in the table of a set.
private struct EditLinkTable {
    let db: Database
    let table: LocalTable

    /// Of entities that requests change or name.
    func ofQueue() throws -> [(path: ResourcePath, link: String)] {
        guard table.container == nil, try db.tableExists(table.name) else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(.id), \(.editLink) FROM \(table.sqlName)
                WHERE \(.editLink) IS NOT NULL AND \(.id) IN (
                SELECT "row" FROM \(.queue) UNION ALL SELECT "parentRow" FROM \(.queue)
                UNION ALL SELECT "targetRow" FROM \(.queue) UNION ALL SELECT "row" FROM \(.reference))
                """)
        return try rows.compactMap { row in
            try RowLookup(db: db, table: table).key(of: row[0]).map { (ResourcePath(table.set, key: $0), row[1]) }
        }
    }
}

extension StoreValues {
    /// What the service's responses have shown; nothing where it cannot be read.
    var traits: LearnedTraits {
        get throws {
            let text = try text("traits")
            return text.flatMap { try? JSONDecoder().decode(LearnedTraits.self, from: Data($0.utf8)) }
                ?? LearnedTraits()
        }
    }

    func setTraits(_ traits: LearnedTraits) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try set("traits", String(decoding: try encoder.encode(traits), as: UTF8.self))
    }
}
