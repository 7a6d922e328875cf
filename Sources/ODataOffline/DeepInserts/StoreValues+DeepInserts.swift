import GRDB
import ODataStores

extension StoreValues {
    private static let deepInserts = "deepInserts:"

    /// How the service takes deep inserts into a set: learned from its responses; nil where nothing was.
    func deepInsertForm(of set: String) throws -> DeepInsertForm? {
        try text(Self.deepInserts + set).flatMap(DeepInsertForm.init)
    }

    func setDeepInsertForm(_ form: DeepInsertForm, of set: String) throws {
        try self.set(Self.deepInserts + set, form.rawValue)
    }
}

extension RequestQueue {
    /// The parts of a deep insert have the row of its outermost entity as their number: negative while it is one request,
    /// positive as a change set, and none as requests of their own.
    func renumber(changeSet number: Int64, to new: Int64?) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "changeSet" = ? WHERE "changeSet" = ?"#, arguments: [new, number])
    }

    /// The numbers of those that are to be sent as one request.
    func deepInserts() throws -> [Int64] {
        try Int64.fetchAll(db, sql: #"SELECT DISTINCT "changeSet" FROM "$queue" WHERE "changeSet" < 0 ORDER BY 1"#)
    }

    /// Requests leave the unit that they were sent with. It is not known whether the service has executed them.
    func setAlone(_ ids: [Int64]) throws {
        for id in ids {
            try db.execute(sql: #"UPDATE "$queue" SET "changeSet" = NULL WHERE "id" = ?"#, arguments: [id])
            try setForgotten(id)
        }
    }

    /// Those that must wait for one of the requests.
    func records(behind ids: Set<Int64>) throws -> [QueueRecord] {
        try records(where: #""dependsOn" <> '[]'"#).filter { !ids.isDisjoint(with: $0.dependsOn) }
    }
}

extension QueueRecord {
    /// Whether it is a part of a deep insert that is sent as one request, if it can be.
    var isPartOfDeepInsert: Bool { changeSet.map { $0 < 0 } ?? false }
}

extension [QueueRecord] {
    /// The place of the outermost entity of a deep insert, whichever form it has; nil for other entities.
    var outermost: Int? {
        guard count > 1, let number = first?.changeSet, allSatisfy({ $0.changeSet == number }) else { return nil }
        return firstIndex { $0.operation == .create && $0.row == number.magnitude }
    }
}
