/// What a feature service can be asked for.
package enum FeatureServerOperation: String, CaseIterable, Sendable {
    /// `rest/info`: how one signs in.
    case info
    case generateToken
    case service
    case layer
    case feature
    case query
    case queryAttachments
    case applyEdits
    /// `<feature>/attachments`
    case attachmentInfos
    /// `<feature>/attachments/<id>`
    case attachment
    case addAttachment
    case updateAttachment
    case deleteAttachments
    /// `uploads/info`
    case uploadInfo
    case upload
    case register
    /// `uploads/<item>`
    case uploadItem
    case uploadPart
    case commit
    /// `uploads/<item>/delete`
    case deleteUpload

    var isPostOnly: Bool {
        switch self {
        case .generateToken, .applyEdits, .addAttachment, .updateAttachment, .deleteAttachments, .upload, .register,
            .uploadPart, .commit, .deleteUpload:
            true
        default: false
        }
    }

    var needsToken: Bool { self != .info && self != .generateToken }

    /// Parameters and files of the operation in Esri's reference, other than `f` and `token`.
    var parameters: Set<String> {
        switch self {
        case .info, .service, .uploadInfo, .uploadItem, .deleteUpload: []
        case .generateToken: ["username", "password", "client", "referer", "ip", "expiration"]
        case .layer: ["returnUpdates"]
        case .feature: ["gdbVersion", "historicMoment", "returnZ", "returnM"]
        case .query:
            ["where", "objectIds", "outFields", "returnGeometry", "returnIdsOnly", "returnCountOnly", "gdbVersion"]
        case .queryAttachments:
            [
                "objectIds", "globalIds", "definitionExpression", "attachmentsDefinitionExpression", "attachmentTypes",
                "size", "keywords", "resultOffset", "resultRecordCount", "orderByFields", "returnUrl",
                "returnCountOnly", "returnDistinctKeywords", "returnMetadata", "cacheHint", "gdbVersion",
            ]
        case .applyEdits:
            [
                "adds", "updates", "deletes", "attachments", "rollbackOnFailure", "useGlobalIds", "gdbVersion",
                "returnEditMoment", "editsUploadId", "editsUploadFormat", "async", "sessionId",
            ]
        case .attachmentInfos: ["gdbVersion", "historicMoment", "returnMetadata"]
        case .attachment: ["gdbVersion", "historicMoment"]
        case .addAttachment: ["attachment", "uploadId", "keywords", "gdbVersion", "returnEditMoment"]
        case .updateAttachment:
            ["attachmentId", "attachment", "uploadId", "keywords", "gdbVersion", "returnEditMoment"]
        case .deleteAttachments: ["attachmentIds", "gdbVersion", "rollbackOnFailure", "returnEditMoment"]
        case .upload: ["file", "description"]
        case .register: ["itemName", "description"]
        case .uploadPart: ["partId", "file"]
        case .commit: ["parts", "checksum"]
        }
    }
}
