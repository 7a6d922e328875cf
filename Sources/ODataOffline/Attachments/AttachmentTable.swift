/// The table of attachments, their edits and downloaded content: in the store's database, or in a separate file for
/// attachments without an offline store.
package enum AttachmentTable {
    /// `entity` and `remote` are the back end's identifiers of the owner and the attachment; `digest` refers to the
    /// content of an edit and `download` to fetched content, both in the media folder; `body` is JSON.
    package static let definition = """
        CREATE TABLE \(.attachment) (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "entity" TEXT NOT NULL, "remote" TEXT, "digest" TEXT,
            "download" TEXT, "body" TEXT NOT NULL, UNIQUE ("entity", "remote"))
        """

    /// The digests that attachments refer to.
    package static let uses = """
        SELECT "digest" FROM \(.attachment) WHERE "digest" IS NOT NULL
        UNION SELECT "download" FROM \(.attachment) WHERE "download" IS NOT NULL
        """

    /// The number of attachments with edits that were not posted.
    static let edits = """
        SELECT count(*) FROM \(.attachment)
        WHERE json_extract("body", '$.edit.state') NOT IN ('original', 'deletedFromServer')
        """
}
