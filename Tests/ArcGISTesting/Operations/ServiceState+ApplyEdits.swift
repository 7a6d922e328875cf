import ByteStreams
import Foundation
import ODataModel

extension ServiceState {
    /// The results of one request, in the order of its edits.
    private struct Results {
        var adds: [EditRow] = []
        var updates: [EditRow] = []
        var deletes: [EditRow] = []

        var haveFailed: Bool { (adds + updates + deletes).contains { $0.error != nil } }

        mutating func rollBack() {
            adds = adds.map { $0.rolledBack(isAdd: true) }
            updates = updates.map { $0.rolledBack(isAdd: false) }
            deletes = deletes.map { $0.rolledBack(isAdd: false) }
        }

        func write(to text: inout JSONText, _ style: FeatureServerConfiguration.Style) {
            text.rows("addResults", adds, style)
            text.rows("updateResults", updates, style)
            text.rows("deleteResults", deletes, style)
        }
    }

    /// `POST …/FeatureServer/0/applyEdits` with `useGlobalIds=true&attachments={"adds": […]}`: features first, then
    /// attachments, which may be those of new features.
    mutating func applyEdits(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        guard let before = layers[route.layer] else { throw .notFound("Layer \(route.layer)") }
        let usesGlobalIDs = try call.flag("useGlobalIds", default: false)
        if usesGlobalIDs { try checkGlobalIDs(before) }
        let edits = try FeatureEdits(call, before)
        var attachmentEdits: AttachmentEdits?
        if let text = call["attachments"] {
            guard usesGlobalIDs else { throw .invalid("'attachments' is not supported without 'useGlobalIds'.") }
            attachmentEdits = try AttachmentEdits(text)
        }
        try check(edits, attachmentEdits, route)
        var layer = before
        var results = apply(edits, usesGlobalIDs: usesGlobalIDs, to: &layer)
        var attachmentResults = attachmentEdits.map { apply($0, to: &layer) }
        if results.haveFailed || attachmentResults?.haveFailed == true, try rollsBack(call, before) {
            layer = before
            results.rollBack()
            attachmentResults?.rollBack()
        }
        layers[route.layer] = layer
        let (style, moment) = (configuration.style, try moment(call))
        return .object { text in
            results.write(to: &text, style)
            if let attachmentResults { text.object("attachments") { attachmentResults.write(to: &$0, style) } }
            if let moment { text.member("editMoment", moment) }
        }
    }

    private func checkGlobalIDs(_ layer: LayerState) throws(RestError) {
        guard layer.layer.supportsEditsByGlobalID, layer.layer.hasGlobalIDs else {
            throw .invalid("'useGlobalIds' is not supported by the layer.")
        }
    }

    /// - Throws: If the layer lacks a capability that one of the edits needs.
    private func check(
        _ edits: FeatureEdits, _ attachments: AttachmentEdits?, _ route: Route
    ) throws(RestError) {
        if !edits.adds.isEmpty { _ = try layer(route, needing: [.create]) }
        if !edits.updates.isEmpty { _ = try layer(route, needing: [.update]) }
        if !edits.deletes.isEmpty { _ = try layer(route, needing: [.delete]) }
        guard let attachments else { return }
        if !attachments.adds.isEmpty { _ = try attachmentLayer(route, needing: [.create, .update]) }
        if !attachments.updates.isEmpty || !attachments.deletes.isEmpty {
            _ = try attachmentLayer(route, needing: [.update])
        }
    }

    private mutating func apply(_ edits: FeatureEdits, usesGlobalIDs: Bool, to layer: inout LayerState) -> Results {
        var results = Results()
        for edit in edits.adds {
            let id = (layer.features.map(\.id).max() ?? 0) + 1
            results.adds.append(
                row(globalID: usesGlobalIDs ? edit.globalID : nil) { () throws(EditError) in
                    let globalID = usesGlobalIDs ? edit.globalID : GlobalID()
                    guard let globalID, !layer.features.contains(where: { $0.globalID == globalID }) else {
                        throw .refused("A new feature needs a globalId of its own.")
                    }
                    return layer.add(.init(id: id, globalID: globalID, attributes: edit.attributes))
                })
        }
        for edit in edits.updates {
            let key: FeatureEdits.Key? =
                usesGlobalIDs
                ? edit.globalID.map { FeatureEdits.Key.globalID($0) } : edit.id.map { FeatureEdits.Key.id($0) }
            results.updates.append(
                row(id: edit.id, globalID: edit.globalID) { () throws(EditError) in
                    let index = try Self.index(of: key ?? .unreadable, in: layer)
                    for attribute in edit.attributes {
                        layer.features[index].attributes.removeAll { $0.name == attribute.name }
                        layer.features[index].attributes.append(attribute)
                    }
                    return layer.row(layer.features[index].id, layer.features[index].globalID)
                })
        }
        for key in edits.deletes {
            results.deletes.append(
                row { () throws(EditError) in
                    layer.removeFeature(at: try Self.index(of: key, in: layer))
                })
        }
        return results
    }

    private static func index(of key: FeatureEdits.Key, in layer: LayerState) throws(EditError) -> Int {
        let index: Int? =
            switch key {
            case .id(let id): layer.features.firstIndex { $0.id == id }
            case .globalID(let id): layer.features.firstIndex { $0.globalID == id }
            case .unreadable: nil
            }
        guard let index else { throw .notFound("The feature") }
        return index
    }

    private mutating func apply(_ edits: AttachmentEdits, to layer: inout LayerState) -> Results {
        var results = Results()
        for edit in edits.adds {
            let file = Result { () throws(EditError) in try self.file(of: edit, layer) }
            results.adds.append(
                row(globalID: edit.globalID) { () throws(EditError) in
                    guard let id = edit.globalID else { throw .refused("A new attachment needs a globalId.") }
                    guard let feature = layer.features.first(where: { $0.globalID == edit.parent }) else {
                        throw .notFound("The feature with the parentGlobalId")
                    }
                    return try layer.add(try file.get(), to: feature.id, as: id)
                })
        }
        for edit in edits.updates {
            let file = Result { () throws(EditError) in try self.file(of: edit, layer) }
            results.updates.append(
                row(globalID: edit.globalID) { () throws(EditError) in
                    let index = try Self.index(ofAttachment: edit.globalID, in: layer)
                    return layer.replaceAttachment(at: index, with: try file.get())
                })
        }
        for id in edits.deletes {
            results.deletes.append(
                row(globalID: id) { () throws(EditError) in
                    layer.removeAttachment(at: try Self.index(ofAttachment: id, in: layer))
                })
        }
        return results
    }

    private static func index(ofAttachment id: GlobalID?, in layer: LayerState) throws(EditError) -> Int {
        guard let id, let index = layer.attachments.firstIndex(where: { $0.globalID == id }) else {
            throw .notFound("The attachment")
        }
        return index
    }

    /// The row of an edit, whether it can be made or not.
    private mutating func row(
        id: Int64? = nil, globalID: GlobalID? = nil, _ edit: () throws(EditError) -> EditRow
    ) -> EditRow {
        do throws(EditError) {
            try checkRefusal()
            return try edit()
        } catch {
            return EditRow(objectID: id, globalID: globalID, error: error)
        }
    }

    /// The file of an edit, in it or uploaded before.
    private func file(of edit: AttachmentEdits.Edit, _ layer: LayerState) throws(EditError) -> AttachedFile {
        var file: AttachedFile
        switch (edit.uploadID, edit.data) {
        case (let id?, nil): file = try uploadedFile(id, layer)
        case (nil, let text?):
            guard let data = Data(base64Encoded: text) else { throw .refused("'data' is not Base64.") }
            file = AttachedFile(
                name: edit.name ?? "", contentType: FileTypes.contentType(of: edit.name ?? ""),
                source: DataSource(data), size: Int64(data.count))
        default: throw .refused("An attachment needs either 'uploadId' or 'data'.")
        }
        file.name = edit.name ?? file.name
        file.contentType = edit.contentType ?? file.contentType
        try check(file)
        return file
    }
}
