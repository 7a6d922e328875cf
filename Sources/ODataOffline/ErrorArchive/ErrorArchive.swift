import Foundation
import GRDB
import ODataModel
import ODataSQLite
import ODataStores

/// The archive of refused requests.
struct ErrorArchive {
    let db: Database
    let offline: OfflineModel

    static func all(in db: Database) throws -> [ErrorEntry] {
        try Row.fetchAll(db, sql: query + #" ORDER BY e."id""#).map(ErrorEntry.init)
    }

    /// The entry of a request.
    static func entry(of request: Int64, in db: Database) throws -> ErrorEntry? {
        try Row.fetchOne(db, sql: query + #" WHERE e."entry" = ?"#, arguments: [request]).map(ErrorEntry.init)
    }

    static func request(ofEntry id: Int64, in db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: #"SELECT "entry" FROM \#(.error) WHERE "id" = ?"#, arguments: [id])
    }

    private static let query = """
        SELECT e.*, q."tag" AS "tag", q."category" AS "category", q."changeSet" AS "changeSet" FROM \(.error) e
        LEFT JOIN \(.queue) q ON q."id" = e."entry"
        """

    /// Adds a refused request, and the others of its change set, which were refused for the same reason.
    ///
    /// An unconfirmed request stays unconfirmed: an error of its repetition does not show whether it was executed.
    func refuse(
        _ record: QueueRecord, _ error: ODataError, line: (method: String, url: String), at time: String
    ) throws {
        let queue = RequestQueue(db: db)
        for member in try queue.unit(of: record) {
            if member.state != .unconfirmed { try queue.setState(.failed, of: member.id) }
            guard member.id != record.id else {
                try add(error, of: record, line: line, at: time)
                continue
            }
            let reason = ODataError(
                .failedDependency,
                """
                The request \(record.id) (\(line.method) \(line.url)) of the same change set was refused: mend that \
                one, or take the change set back. \(error.service?.message ?? error.message)
                """)
            try add(reason, of: member, line: (member.method, member.url), at: time)
        }
    }

    /// Adds requests that cannot be sent, each with its own reason.
    ///
    /// - Returns: All requests that were added, including those of their change sets.
    @discardableResult
    func refuse(_ faults: [(record: QueueRecord, error: ODataError)], at time: String) throws -> Set<Int64> {
        var archived: Set<Int64> = []
        for (record, error) in faults {
            let line = (record.method, record.url)
            guard archived.insert(record.id).inserted else {
                try add(error, of: record, line: line, at: time)
                continue
            }
            try refuse(record, error, line: line, at: time)
            archived.formUnion(try RequestQueue(db: db).unit(of: record).map(\.id))
        }
        return archived
    }

    /// An earlier entry of the same request is removed.
    private func add(_ error: ODataError, of record: QueueRecord, line: (method: String, url: String), at time: String)
        throws
    {
        // A request may outlive the set that it belongs to.
        let entity = try? RequestLine(db: db, offline: offline).entityPath(.init(set: record.set, row: record.row))?.url
        try db.execute(
            sql: """
                INSERT INTO \(.error) ("entry", "status", "code", "message", "innerError", "method", "url", "body",
                "entity", "occurred", "target", "details") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT ("entry") DO UPDATE SET "status" = excluded."status", "code" = excluded."code",
                "message" = excluded."message", "innerError" = excluded."innerError", "method" = excluded."method",
                "url" = excluded."url", "body" = excluded."body", "entity" = excluded."entity",
                "occurred" = excluded."occurred", "target" = excluded."target", "details" = excluded."details"
                """,
            arguments: [
                record.id, error.status ?? error.code.status, error.service?.code ?? error.code.name,
                error.service?.message ?? error.message, error.service?.innerError, line.method, line.url,
                record.body.map { String(decoding: $0, as: UTF8.self) }, entity, time,
                error.service?.target, try Self.json(error.service?.details ?? []),
            ])
        if let table = offline.schema.tables[record.set] {
            try RowLookup(db: db, table: table).setState(.inError, of: record.row)
        }
    }
}

extension ErrorArchive {
    func entry(_ id: Int64) throws -> ErrorEntry {
        guard
            let row = try Row.fetchOne(db, sql: Self.query + #" WHERE e."id" = ?"#, arguments: [id])
        else {
            let other = try Self.entry(of: id, in: db).map { " The entry of the request \(id) is \($0.id)." }
            throw ODataError(.notFound, "There is no entry \(id) in the error archive.\(other ?? "")")
        }
        return ErrorEntry(row: row)
    }

    /// The SQL condition for entries of requests whose content is lost; the same code from a service has a status.
    static let isLost = #""code" = 'mediaNotInStore' AND "status" IS NULL"#

    /// The requests that cannot be sent because their content is lost.
    func lost() throws -> [QueueRecord] {
        try RequestQueue(db: db).records(
            where: #""state" = 'failed' AND "id" IN (SELECT "entry" FROM \#(.error) WHERE \#(Self.isLost))"#)
    }

    func remove(request: Int64) throws {
        try db.execute(sql: #"DELETE FROM \#(.error) WHERE "entry" = ?"#, arguments: [request])
    }

    private static func json(_ details: [ServiceError.Detail]) throws -> String? {
        guard !details.isEmpty else { return nil }
        return String(decoding: try JSONEncoder().encode(details.map(StoredDetail.init)), as: UTF8.self)
    }
}

/// `{"code":"301","message":"…","target":"Note"}`
private struct StoredDetail: Codable {
    var code: String
    var message: String
    var target: String?

    init(_ detail: ServiceError.Detail) {
        code = detail.code
        message = detail.message
        target = detail.target
    }

    var detail: ServiceError.Detail { .init(code: code, message: message, target: target) }
}

extension ServiceError.Detail {
    /// The details in the text that the error archive keeps.
    static func all(in json: String?) -> [ServiceError.Detail] {
        guard let json, let stored = try? JSONDecoder().decode([StoredDetail].self, from: Data(json.utf8)) else {
            return []
        }
        return stored.map(\.detail)
    }
}

extension ODataError.Code {
    /// The status of the code, for errors without an HTTP response.
    fileprivate var status: Int? {
        switch self {
        case .badRequest: 400
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .conflict: 409
        case .gone: 410
        case .preconditionFailed: 412
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .failedDependency: 424
        case .preconditionRequired: 428
        case .internalError: 500
        case .notImplemented: 501
        default: nil
        }
    }
}
