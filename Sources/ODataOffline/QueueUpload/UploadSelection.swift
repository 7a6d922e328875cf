import GRDB
import ODataModel
import ODataSQLite

/// Which requests of the queue an upload is about.
struct UploadSelection {
    let db: Database
    let policy: RepetitionPolicy
    /// What was first sent before is not recognised any more if it is repeated: seconds since 1970.
    let horizon: Int64

    /// - Parameter categories: Nil: all requests. Else those of the categories, and those of other categories that
    ///   must be executed before them.
    func items(_ categories: Set<String>?) throws -> [UploadItem] {
        let items = try all()
        return categories.map { categories in
            Self.needed(items) { $0.category.map(categories.contains) ?? false }
        } ?? items
    }

    /// The requests with these ids, and those that must be executed before them.
    func items(needed ids: Set<Int64>) throws -> [UploadItem] {
        Self.needed(try all()) { ids.contains($0.id) }
    }

    private func all() throws -> [UploadItem] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT "id", "version", "set", "row", "operation", "changeSet", "dependsOn", "state", "category",
                "firstSent", "mechanism" FROM \(.queue)
                ORDER BY "id"
                """)
        let doubtful = try StreamUploadTable(db: db).doubtful()
        var items: [UploadItem] = []
        var unknown: [(item: UploadItem, row: Int64)] = []
        while let row = try rows.next() {
            let operation = try QueueRecord.Operation(row["operation"], version: row["version"])
            var item = UploadItem(
                id: row["id"], set: row["set"], operation: operation, changeSet: row["changeSet"],
                dependsOn: QueueRecord.ids(row["dependsOn"] ?? ""),
                isUnconfirmed: isUnconfirmed(row, doubtful), category: row["category"])
            let creations = unknown.filter { $0.item.set == item.set && $0.row < row["row"] }
            if operation.changesContent, try !creations.isEmpty && !Probe.isMadeHere(row["row"], in: db) {
                item.dependsOn += creations.map(\.item.id)
            }
            if operation == .createMedia, item.isUnconfirmed { unknown.append((item, row["row"])) }
            items.append(item)
        }
        return items
    }

    /// Whether it must be found out what became of the request. Otherwise it can simply be sent, or sent again.
    ///
    /// - Parameter doubtful: Uploads in pieces that the service can be asked about: nothing is sent again for that.
    private func isUnconfirmed(_ row: Row, _ doubtful: Set<Int64>) -> Bool {
        guard row["state"] as String == QueueEntry.State.unconfirmed.rawValue else { return false }
        if doubtful.contains(row["id"]) { return true }
        let mechanism = (row["mechanism"] as String?).flatMap(ExactlyOnce.init)
        let firstSent = EdmDateTimeOffset(httpDate: row["firstSent"])?.secondsSinceEpoch ?? .min
        return !policy.repeats(mechanism) || firstSent < horizon
    }

    /// Those that are chosen, with all that they depend on; a change set is selected as a whole.
    private static func needed(_ items: [UploadItem], _ isChosen: (UploadItem) -> Bool) -> [UploadItem] {
        let byID = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let bySet = Dictionary(grouping: items.filter { $0.changeSet != nil }, by: \.changeSet)
        var chosen: Set<Int64> = []
        var open = items.filter(isChosen)
        while let item = open.popLast() {
            guard chosen.insert(item.id).inserted else { continue }
            open += item.dependsOn.compactMap { byID[$0] }
            if let changeSet = item.changeSet { open += bySet[changeSet] ?? [] }
        }
        return items.filter { chosen.contains($0.id) }
    }

    /// By set, the sets whose entities may refer to its entities.
    static func dependents(in schema: LocalSchema) -> [String: Set<String>] {
        var dependents: [String: Set<String>] = [:]
        for (set, navigation) in schema.navigation {
            for storage in navigation.values {
                switch storage {
                case .columns(_, let target, true): dependents[target, default: []].insert(set)
                case .columns(_, let target, false): dependents[set, default: []].insert(target)
                case .link: dependents[storage.targetSet, default: []].insert(set)
                }
            }
        }
        return dependents
    }
}

extension QueueRecord.Operation {
    /// Whether a media entity is not known by its content any more. If it was received after a creation was sent whose
    /// response was lost, it may be what that has made, which must be found out before.
    fileprivate var changesContent: Bool {
        switch self {
        case .replaceStream, .deleteStream, .delete: true
        case .create, .createMedia, .update, .replace, .addReference, .removeReference, .call: false
        }
    }
}
