import ODataAttachments
import ODataModel
import ODataStores

extension RemoteAttachment {
    /// ```
    /// {"id":409,"contentType":"application/pdf","size":400633,"name":"Permit.pdf"}
    /// {"ATTACHMENTID":11,"GLOBALID":"{A…}","ATT_NAME":"photo.jpg","CONTENT_TYPE":"image/jpeg","DATA_SIZE":1024}
    /// ```
    ///
    /// - Throws: ``OData/ODataError`` with code `invalidResponse` if it has no id.
    init(info node: JSONNode) throws(ODataError) {
        guard let id = node.member("id", "attachmentId")?.wholeNumber else {
            throw ODataError(.invalidResponse, "The service lists an attachment without an id.")
        }
        let keywords = node.member("keywords")?.string ?? ""
        let details = AttachmentDetails(
            name: node.member("name", "ATT_NAME", "attachmentName")?.text ?? "\(id)",
            contentType: node.member("contentType", "CONTENT_TYPE")?.string ?? "application/octet-stream",
            keywords: keywords.split(separator: ",").map(String.init))
        self.init(id: "\(id)", details: details, size: node.member("size", "DATA_SIZE")?.wholeNumber)
        key = node.member("globalId")?.string.map(GlobalID.init)?.key
    }
}

/// `{55E85F98-FBDD-4129-9F0B-848DD40BD911}`, which services write with and without braces and in either case.
struct GlobalID: Hashable, Sendable, CustomStringConvertible {
    /// In upper case, without braces.
    let key: String

    init(_ text: String) {
        key = text.filter { $0 != "{" && $0 != "}" }.uppercased()
    }

    var description: String { "{\(key)}" }
}
