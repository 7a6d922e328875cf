import GRDB
import ODataSQLite

/// Which requests of the queue an upload is about.
struct UploadSelection {
    let db: Database
    let policy: RepetitionPolicy
    /// What was sent before is not recognised any more if it is repeated: `2024-01-02T03:04:05`
    let horizon: String

    /// - Parameter categories: Nil: all requests. Else those of the categories, and those of other categories that
    ///   must be executed before them.
    func items(_ categories: Set<String>?) throws -> [UploadItem] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT "id", "set", "operation", "changeSet", "dependsOn", "state", "category", "sent", "mechanism"
                FROM "$queue"
                ORDER BY "id"
                """)
        var items: [UploadItem] = []
        while let row = try rows.next() {
            guard let operation = QueueRecord.Operation(rawValue: row["operation"]) else { continue }
            items.append(
                UploadItem(
                    id: row["id"], set: row["set"], operation: operation, changeSet: row["changeSet"],
                    dependsOn: QueueRecord.ids(row["dependsOn"] ?? ""),
                    isUnconfirmed: isUnconfirmed(row), category: row["category"]))
        }
        return categories.map { Self.needed(items, for: $0) } ?? items
    }

    /// Whether it must be found out what became of the request. Otherwise it can simply be sent, or sent again.
    private func isUnconfirmed(_ row: Row) -> Bool {
        guard row["state"] as String == QueueEntry.State.unconfirmed.rawValue else { return false }
        let mechanism = (row["mechanism"] as String?).flatMap(ExactlyOnce.init)
        return !policy.repeats(mechanism) || row["sent"] as String? ?? "" < horizon
    }

    private static func needed(_ items: [UploadItem], for categories: Set<String>) -> [UploadItem] {
        var ids: Set<Int64> = []
        var changeSets: Set<Int64> = []
        // What is depended on comes earlier; members of a change set stand together.
        let chosen = items.reversed().filter { item in
            let isNamed = item.category.map(categories.contains) ?? false
            let isNeeded = ids.contains(item.id) || item.changeSet.map(changeSets.contains) ?? false
            guard isNamed || isNeeded else { return false }
            ids.formUnion(item.dependsOn)
            if let changeSet = item.changeSet { changeSets.insert(changeSet) }
            return true
        }
        let chosenSets = changeSets
        let chosenIDs = Set(chosen.map(\.id))
        return items.filter { chosenIDs.contains($0.id) || $0.changeSet.map(chosenSets.contains) ?? false }
    }

    /// By set, the sets whose entities may refer to its entities.
    static func dependents(in schema: LocalSchema) -> [String: Set<String>] {
        var dependents: [String: Set<String>] = [:]
        for (set, relations) in schema.relations {
            for relation in relations.values {
                switch relation {
                case .columns(_, let target, true): dependents[target, default: []].insert(set)
                case .columns(_, let target, false): dependents[set, default: []].insert(target)
                case .link: dependents[relation.targetSet, default: []].insert(set)
                }
            }
        }
        return dependents
    }
}
