import ODataModel

/// What the service and its layers tell of themselves.
extension ServiceState {
    /// `GET …/FeatureServer?f=json`
    func service() -> RestResponse {
        .object { text in
            text.number("currentVersion", "11.3")
            text.member("serviceDescription", configuration.name)
            text.member("hasVersionedData", false)
            text.member("maxRecordCount", configuration.recordLimit)
            text.member("supportedQueryFormats", "JSON")
            text.member("capabilities", Self.text(of: capabilities))
            text.array("layers") { _ in }
            text.array("tables") { text in
                for layer in configuration.layers {
                    text.object { text in
                        text.member("id", layer.id)
                        text.member("name", layer.name)
                    }
                }
            }
        }
    }

    /// `GET …/FeatureServer/0?f=json`
    func layerResource(_ route: Route) throws(RestError) -> RestResponse {
        guard let state = layers[route.layer] else { throw .notFound("Layer \(route.layer)") }
        let layer = state.layer
        return .object { text in
            text.number("currentVersion", "11.3")
            text.member("id", layer.id)
            text.member("name", layer.name)
            text.member("type", "Table")
            text.member("displayField", state.objectIDField)
            text.member("isDataVersioned", false)
            text.member("hasAttachments", layer.hasAttachments)
            if layer.hasAttachments { attachmentProperties(&text) }
            text.member("objectIdField", state.objectIDField)
            text.member("globalIdField", state.globalIDField)
            state.fields(&text)
            text.member("maxRecordCount", configuration.recordLimit)
            text.member("capabilities", Self.text(of: layer.capabilities))
            text.member("supportsAttachmentsByUploadId", layer.supportsUploadIDs)
            text.member("supportsApplyEditsWithGlobalIds", layer.supportsEditsByGlobalID && layer.hasGlobalIDs)
            text.member("supportsRollbackOnFailureParameter", layer.supportsRollback)
            text.object("advancedQueryCapabilities") { text in
                text.member("supportsQueryAttachments", layer.hasAttachments && layer.supportsQueryAttachments)
                text.member("supportsQueryAttachmentsCountOnly", layer.hasAttachments && layer.supportsQueryAttachments)
            }
        }
    }

    private func attachmentProperties(_ text: inout JSONText) {
        let fields = [("name", "ATT_NAME"), ("size", "DATA_SIZE"), ("contentType", "CONTENT_TYPE")]
        text.array("attachmentProperties") { text in
            for (name, field) in fields + [("keywords", "KEYWORDS")] {
                text.object { text in
                    text.member("name", name)
                    if configuration.style == .enterprise { text.member("fieldName", field) }
                    text.member("isEnabled", true)
                }
            }
        }
    }

    /// `Query,Create,Update,Delete,Uploads,Editing`
    private static func text(of capabilities: Set<FeatureLayer.Capability>) -> String {
        var names = FeatureLayer.Capability.allCases.filter { capabilities.contains($0) }.map(\.rawValue)
        if capabilities != [.query], !capabilities.isEmpty { names.append("Uploads") }
        if capabilities.isSuperset(of: [.create, .update, .delete]) { names.append("Editing") }
        return names.joined(separator: ",")
    }

    /// `GET …/FeatureServer/0/1?f=json`
    func feature(_ route: Route) throws(RestError) -> RestResponse {
        let layer = try layer(route, needing: [.query])
        guard let feature = layer.feature(route.feature) else { throw .notFound("Feature \(route.feature)") }
        return .object { text in
            text.object("feature") { layer.attributes(of: feature, fields: nil, &$0) }
        }
    }

    /// `GET …/FeatureServer/0/query?objectIds=1,2&outFields=*&returnGeometry=false&f=json`
    func query(_ call: RestCall, _ route: Route) throws(RestError) -> RestResponse {
        let layer = try layer(route, needing: [.query])
        let ids = try call.integers("objectIds")
        guard ids != nil || call["where"] != nil else { throw .invalid("'where' or 'objectIds' must be specified.") }
        if let condition = call["where"], condition.filter({ $0 != " " }) != "1=1" {
            throw .invalid("'where' is not valid: \(condition)")
        }
        let found = layer.features.filter { ids?.contains($0.id) ?? true }
        if try call.flag("returnCountOnly", default: false) { return .object { $0.member("count", found.count) } }
        if try call.flag("returnIdsOnly", default: false) {
            return .object { text in
                text.member("objectIdFieldName", layer.objectIDField)
                text.array("objectIds") { text in
                    for feature in found { text.integer(feature.id) }
                }
            }
        }
        let names = call.words("outFields") ?? []
        let fields = names.contains("*") ? nil : Set(names + [layer.objectIDField])
        return .object { text in
            text.member("objectIdFieldName", layer.objectIDField)
            text.member("globalIdFieldName", layer.globalIDField)
            layer.fields(&text)
            text.array("features") { text in
                for feature in found { text.object { layer.attributes(of: feature, fields: fields, &$0) } }
            }
        }
    }
}

extension LayerState {
    /// `"fields": […]`
    fileprivate func fields(_ text: inout JSONText) {
        let ids = [(objectIDField, "esriFieldTypeOID")]
        text.array("fields") { text in
            for (name, type) in layer.hasGlobalIDs ? ids + [(globalIDField, "esriFieldTypeGlobalID")] : ids {
                text.object { text in
                    text.member("name", name)
                    text.member("type", type)
                    text.member("alias", name)
                }
            }
        }
    }

    /// `"attributes": {…}`
    ///
    /// - Parameter fields: Nil for all.
    fileprivate func attributes(of feature: Feature, fields: Set<String>?, _ text: inout JSONText) {
        func isWanted(_ name: String) -> Bool { fields?.contains(name) ?? true }
        text.object("attributes") { text in
            text.member(objectIDField, feature.id)
            if layer.hasGlobalIDs, isWanted(globalIDField) {
                text.member(globalIDField, feature.globalID.text(style))
            }
            for (name, json) in feature.attributes where isWanted(name) {
                text.name(name)
                text.raw(json)
            }
        }
    }
}
