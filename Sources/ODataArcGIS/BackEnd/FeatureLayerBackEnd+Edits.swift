import ByteStreams
import ODataAttachments
import ODataModel
import ODataStores

extension FeatureLayerBackEnd {
    public func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment {
        guard let content = draft.content else { throw ODataError(.badRequest, "An attachment needs content.") }
        let feature = try Self.objectID(entity)
        let layer = try await attachmentLayer()
        if let key = draft.key, let parent = try await parent(feature, of: layer, for: draft) {
            return try await addAttachment(draft, content, GlobalID(key), to: parent, in: entity)
        }
        let row = try await send("addAttachment", draft, content, to: feature, inParts: layer.supportsUploadIDs)
        return PostedAttachment(try await made(row, of: draft, in: entity))
    }

    public func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment {
        if draft.content == nil, draft.details == attachment.details { return PostedAttachment(attachment) }
        guard !draft.details.keywords.isEmpty || attachment.details.keywords.isEmpty else {
            throw ODataError(
                .badRequest,
                "The keywords of \(draft.details.name) can be replaced, and not all be taken away: leave one at least.")
        }
        let feature = try Self.objectID(entity)
        let id = try Self.objectID(attachment.id)
        let layer = try await attachmentLayer()
        try await check(attachment, in: entity)
        let content = draft.content ?? kept(attachment, in: entity)
        let row = try await send(
            "updateAttachment", draft, content, to: feature, [.init("attachmentId", "\(id)")],
            inParts: layer.supportsUploadIDs && draft.content != nil)
        return PostedAttachment(try await made(row, of: draft, id: attachment.id, in: entity))
    }

    public func delete(_ attachment: RemoteAttachment, in entity: String) async throws {
        let feature = try Self.objectID(entity)
        let id = try Self.objectID(attachment.id)
        _ = try await attachmentLayer()
        try await check(attachment, in: entity)
        let request = ArcGISRequest(
            path: "\(number)/\(feature)/deleteAttachments", method: .post,
            parameters: [.init("attachmentIds", "\(id)")], isEdit: true)
        let response = try await service.response(to: request)
        _ = try row(response.member("deleteAttachmentResults"), of: request)
    }

    /// The content as the service has it, for an update of details alone: forms of updates have a file.
    private func kept(_ attachment: RemoteAttachment, in entity: String) -> ByteContent {
        let read: @Sendable () async throws -> ByteChunks = { [self] in
            try await content(of: attachment, in: entity).content.chunks()
        }
        return ByteContent(SequenceSource(length: attachment.size, fromStart: read))
    }

    /// - Throws: ``OData/ODataError`` with code `notFound` if the attachment is gone, `preconditionFailed` if it is
    ///   not what it was.
    private func check(_ attachment: RemoteAttachment, in entity: String) async throws {
        guard let now = try await list(of: entity).first(where: { $0.id == attachment.id }) else {
            throw ODataError(.notFound, "The feature \(entity) has no attachment \(attachment.id).")
        }
        let isOfSize = attachment.size == nil || now.size == nil || attachment.size == now.size
        guard isOfSize, now.details == attachment.details else {
            throw ODataError(
                .preconditionFailed, "Another client has changed \(now.details.name): list it again before editing.")
        }
    }
}

extension FeatureLayerBackEnd {
    /// Sends a form with a file, or with the id of an upload of it.
    ///
    /// - Parameter inParts: Whether large content is uploaded in parts before.
    private func send(
        _ operation: String, _ draft: AttachmentDraft, _ content: ByteContent, to feature: Int64,
        _ parameters: [ArcGISRequest.Parameter] = [], inParts: Bool
    ) async throws -> JSONNode {
        var request = ArcGISRequest(
            path: "\(number)/\(feature)/\(operation)", method: .post, parameters: parameters, isEdit: true)
        if !draft.details.keywords.isEmpty {
            request.parameters.append(.init("keywords", draft.details.keywords.joined(separator: ",")))
        }
        let result = "\(operation)Result"
        if inParts, let length = content.length, length > service.configuration.partSize {
            return try await uploaded(draft, content) { [request] id in
                var request = request
                request.parameters.append(.init("uploadId", id))
                let response = try await self.service.response(to: request)
                return try self.row(response.member(result), of: request)
            }
        }
        request.file = .init(
            field: "attachment", name: draft.details.name, contentType: draft.details.contentType, content: content)
        let response = try await service.response(to: request)
        return try row(response.member(result), of: request)
    }

    /// Uploads content and does `edit` with the id of the upload; once more if that has expired.
    private func uploaded<Result>(
        _ draft: AttachmentDraft, _ content: ByteContent, _ edit: (_ id: String) async throws -> Result
    ) async throws -> Result {
        let upload = ContentUpload(
            service: service, details: .init(name: draft.details.name, contentType: draft.details.contentType),
            content: content, plan: plan, pause: pause)
        do { return try await edit(try await upload.send()) } catch let error as ODataError where error.isOfUpload {
            return try await edit(try await upload.send())
        }
    }

    /// A row that reports success, in a list of rows or alone.
    private func row(_ result: JSONNode?, of request: ArcGISRequest) throws -> JSONNode {
        var failure = ODataError(.invalidResponse, "The service does not report what became of the edit.")
        failure.isOutcomeUnknown = true
        if let row = result?.elements?.first ?? result, row.members != nil {
            guard let told = ODataError(row: row) else { return row }
            failure = told
            failure.isOutcomeUnknown = told.isOfGateway
        }
        failure.status = 200
        failure.request = request.name(below: service.root)
        throw failure
    }

    /// An attachment as the service lists it after an edit; as it was sent if the list does not come.
    private func made(
        _ row: JSONNode, of draft: AttachmentDraft, id known: String? = nil, in entity: String
    ) async throws -> RemoteAttachment {
        let id = known ?? row.member("objectId", "attachmentId")?.wholeNumber.map { "\($0)" }
        let key = row.member("globalId")?.string.map(GlobalID.init)?.key
        let listed = (try? await list(of: entity)) ?? []
        if let id, let found = listed.first(where: { $0.id == id }) { return found }
        if let key, let found = listed.first(where: { $0.key == key }) { return found }
        guard let id else {
            var error = ODataError(.invalidResponse, "The service does not report the id of the new attachment.")
            error.isOutcomeUnknown = true
            throw error
        }
        var made = RemoteAttachment(id: id, details: draft.details, size: draft.content?.length)
        made.key = key
        return made
    }
}

extension FeatureLayerBackEnd {
    /// The global id of a feature, if an addition can be sent with an id of its own; that says nothing about keywords.
    private func parent(
        _ feature: Int64, of layer: FeatureLayer, for draft: AttachmentDraft
    ) async throws -> GlobalID? {
        guard layer.supportsEditsWithGlobalIDs, layer.supportsUploadIDs, draft.details.keywords.isEmpty,
            let field = layer.globalIDField
        else { return nil }
        if let known = globalID(known: feature) { return known }
        var request = ArcGISRequest(path: "\(number)/query")
        request.parameters = [
            .init("objectIds", "\(feature)"), .init("outFields", field), .init("returnGeometry", "false"),
        ]
        do {
            let rows = try await service.response(to: request).member("features")?.elements
            guard let text = rows?.first?.member("attributes")?.member(field)?.string else { return nil }
            note(GlobalID(text), of: feature)
            return GlobalID(text)
        } catch let error as ODataError where !error.concernsAll {
            // The addition goes without.
            return nil
        }
    }

    private func addAttachment(
        _ draft: AttachmentDraft, _ content: ByteContent, _ id: GlobalID, to parent: GlobalID, in entity: String
    ) async throws -> PostedAttachment {
        do {
            let row = try await uploaded(draft, content) { upload in
                let request = self.applyEdits(adding: draft.details, id, upload: upload, to: parent)
                let response = try await self.service.response(to: request)
                return try self.row(response.member("attachments")?.member("addResults"), of: request)
            }
            return PostedAttachment(try await made(row, of: draft, in: entity))
        } catch let error as ODataError where !error.isOutcomeUnknown && !error.concernsAll {
            // An attempt before this one may have made it: the service refuses the id then.
            guard let found = try? await list(of: entity).first(where: { $0.key == id.key }) else { throw error }
            return PostedAttachment(found)
        }
    }

    /// ```
    /// {"adds":[{"globalId":"{5…}","parentGlobalId":"{0…}","contentType":"image/jpeg","name":"a.jpg","uploadId":"i7…"}]}
    /// ```
    private func applyEdits(
        adding details: AttachmentDetails, _ id: GlobalID, upload: String, to parent: GlobalID
    ) -> ArcGISRequest {
        var text = JSONText()
        text.object { text in
            text.name("adds")
            text.array { text in
                text.object { text in
                    text.member("globalId", id.description)
                    text.member("parentGlobalId", parent.description)
                    text.member("contentType", details.contentType)
                    text.member("name", details.name)
                    text.member("uploadId", upload)
                }
            }
        }
        return ArcGISRequest(
            path: "\(number)/applyEdits", method: .post,
            parameters: [
                .init("attachments", String(decoding: text.bytes, as: UTF8.self)), .init("useGlobalIds", "true"),
                .init("rollbackOnFailure", "true"),
            ], isEdit: true)
    }
}

extension ODataError {
    /// Whether the service does not know an upload any more: its id has expired.
    fileprivate var isOfUpload: Bool {
        guard !isOutcomeUnknown else { return false }
        if code == .notFound || code == .gone { return true }
        return code == .badRequest && message.lowercased().contains("upload")
    }
}
