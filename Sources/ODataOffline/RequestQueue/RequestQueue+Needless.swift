import GRDB

extension RequestQueue {
    /// The requests with a stream that a deletion behind them makes needless: of the stream, of its entity, or of the
    /// entity that they make, unless another request names that. Requests that are not combined are all sent.
    func needless() throws -> Set<Int64> { try Int64.fetchSet(db, sql: Self.needless) }

    func isNeedless(_ id: Int64) throws -> Bool {
        try Int64.fetchOne(db, sql: Self.needless + #" AND s."id" = ?"#, arguments: [id]) != nil
    }

    private static let needless = """
        SELECT s."id" FROM \(.queue) AS s JOIN \(.queue) AS d ON d."row" = s."row" AND d."id" > s."id"
        WHERE s."changeSet" IS NULL AND d."changeSet" IS NULL AND s."combines" AND d."combines" AND (
        s."operation" = 'replaceStream' AND
        (d."operation" = 'delete' OR d."operation" = 'deleteStream' AND d."property" IS s."property")
        OR s."operation" = 'createMedia' AND d."operation" = 'delete' AND NOT EXISTS (
        SELECT 1 FROM \(.reference) AS r JOIN \(.queue) AS o ON o."id" = r."entry"
        WHERE r."row" = s."row" AND o."row" <> s."row"))
        """
}
