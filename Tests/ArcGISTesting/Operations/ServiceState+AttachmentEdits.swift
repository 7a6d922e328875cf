import ByteStreams
import MediaFiles
import ODataModel

/// `addAttachment`, `updateAttachment` and `deleteAttachments` of one feature.
extension ServiceState {
    /// `POST …/FeatureServer/0/1/addAttachment`: multipart with the file `attachment`, or a form with `uploadId`.
    mutating func addAttachment(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        var layer = try attachmentLayer(route, needing: [.create, .update])
        try checkHasFile(call)
        let row: EditRow
        do throws(EditError) {
            try checkRefusal()
            guard layer.feature(route.feature) != nil else { throw EditError.notFound("Feature \(route.feature)") }
            row = try layer.add(try file(of: call, layer), to: route.feature)
        } catch {
            row = EditRow(error: error)
        }
        layers[route.layer] = layer
        return try response("addAttachmentResult", row, call)
    }

    /// `POST …/FeatureServer/0/1/updateAttachment`, also with `attachmentId`.
    mutating func updateAttachment(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        var layer = try attachmentLayer(route, needing: [.update])
        guard let id = call["attachmentId"].flatMap({ Int64($0) }) else {
            throw .invalid("'attachmentId' must be specified.")
        }
        try checkHasFile(call)
        let row: EditRow
        do throws(EditError) {
            try checkRefusal()
            guard let index = layer.index(ofAttachment: id, of: route.feature) else {
                throw EditError.notFound("Attachment \(id)")
            }
            row = layer.replaceAttachment(at: index, with: try file(of: call, layer))
        } catch {
            row = EditRow(objectID: id, error: error)
        }
        layers[route.layer] = layer
        return try response("updateAttachmentResult", row, call)
    }

    /// `POST …/FeatureServer/0/1/deleteAttachments` with `attachmentIds=58,59`.
    mutating func deleteAttachments(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        let before = try attachmentLayer(route, needing: [.update])
        guard let ids = try call.integers("attachmentIds") else { throw .invalid("'attachmentIds' must be specified.") }
        var layer = before
        var rows: [EditRow] = []
        for id in ids {
            do throws(EditError) {
                try checkRefusal()
                guard let index = layer.index(ofAttachment: id, of: route.feature) else {
                    throw EditError.notFound("Attachment \(id)")
                }
                rows.append(layer.removeAttachment(at: index))
            } catch {
                rows.append(EditRow(objectID: id, error: error))
            }
        }
        if rows.contains(where: { $0.error != nil }), try rollsBack(call, layer) {
            layer = before
            rows = rows.map { $0.rolledBack(isAdd: false) }
        }
        layers[route.layer] = layer
        let (style, moment) = (configuration.style, try moment(call))
        return .object { text in
            text.rows("deleteAttachmentResults", rows, style)
            if let moment { text.member("editMoment", moment) }
        }
    }

    /// Whether all edits of the request are undone if one of them fails.
    func rollsBack(_ call: RestCall, _ layer: LayerState) throws(RestError) -> Bool {
        let asked = try call.flag("rollbackOnFailure", default: true)
        return asked || !layer.layer.supportsRollback
    }

    /// When the edit was made, if the request asks for that.
    func moment(_ call: RestCall) throws(RestError) -> Int64? {
        try call.flag("returnEditMoment", default: false) ? configuration.now() : nil
    }

    private func response(_ name: String, _ row: EditRow, _ call: RestCall) throws(RestError) -> RestResponse {
        let (style, moment) = (configuration.style, try moment(call))
        return .object { text in
            text.name(name)
            row.write(to: &text, style)
            if let moment { text.member("editMoment", moment) }
        }
    }

    private func checkHasFile(_ call: RestCall) throws(RestError) {
        guard call["uploadId"] != nil || call.files["attachment"] != nil else {
            throw .invalid("'attachment' must be specified.")
        }
    }

    /// The file of a request, as part of its body or uploaded before.
    private func file(of call: RestCall, _ layer: LayerState) throws(EditError) -> AttachedFile {
        var file: AttachedFile
        if let sent = call.files["attachment"] {
            let type = sent.contentType ?? FileTypes.contentType(of: sent.name)
            file = AttachedFile(name: sent.name, contentType: type, source: sent.source, size: sent.size)
            try check(file)
        } else {
            file = try uploadedFile(call["uploadId"] ?? "", layer)
        }
        file.keywords = call["keywords"]
        return file
    }

    /// - Throws: If the service does not take such a file.
    func check(_ file: AttachedFile) throws(EditError) { try checkFile(name: file.name, size: file.size) }

    func checkFile(name: String, size: Int64) throws(EditError) {
        guard configuration.fileTypes.contains(name.fileExtension) else {
            throw .refused("Files of the type of \(name) are not allowed.")
        }
        guard size <= configuration.maximalFileSize else {
            throw .refused("\(name) is larger than \(configuration.maximalFileMegabytes) MB.")
        }
    }

    /// The committed item with an id.
    func uploadedFile(_ id: String, _ layer: LayerState) throws(EditError) -> AttachedFile {
        guard layer.layer.supportsUploadIDs else { throw .refused("Attachments by upload id are not supported.") }
        guard let item = uploads[id] else { throw .notFound("Uploaded item \(id)") }
        guard item.isCommitted, let content = item.content else { throw .refused("The item \(id) is not committed.") }
        return AttachedFile(
            name: item.name, contentType: item.contentType, source: content, size: content.length ?? 0)
    }
}
