import ODataMetadata
import ODataModel
import ODataQuery

/// Small messages of V1 to V3 in verbose JSON: values, links, errors, the service document.
///
/// [OData-JSON-Verbose-Format V3]
package enum VerbosePayload {
    // MARK: Values

    /// Reads `{"d":{"Price":"12.50"}}`, `{"d":{"results":[…]}}`, `{"d":{"GetAddress":{"City":"Oslo"}}}`, and
    /// `{"d":{"results":{"Price":"12.50"}}}`, also without `d`; in the light JSON of V3
    /// `{"odata.metadata":"…#Edm.Decimal","value":"12.50"}`.
    ///
    /// - Parameter name: Of the property or function; nil where it is not known. Without `d` no other member is the value.
    package static func value(
        _ bytes: [UInt8], type: EdmTypeReference, name: String? = nil, model: EdmModel, limits: PayloadLimits = .default
    ) throws(FormatError) -> EdmValue {
        let root = try parsed(bytes[...], limits: limits)
        let node: JSONNode
        if isLight(root) {
            if root["odata.null"] != nil { return .null }
            node = lightContent(root, type: type)
        } else {
            let data = try data(root, bytes)
            guard root["d"] != nil || isBareValue(root, type: type, name: name, model: model) else {
                throw FormatError("The payload has no “d”, and nothing else that is \(type).", offset: root.offset)
            }
            node = content(data, type: type, model: model)
        }
        let decoder = VerboseValueDecoder(model: model)
        do {
            return try decoder.value(
                node, type: type, name: "The value", source: bytes[...])
        } catch {
            throw FormatError(error)
        }
    }

    /// Whether a payload without `d` can be a value of `type`: a gateway's JSON is not one.
    private static func isBareValue(_ root: JSONNode, type: EdmTypeReference, name: String?, model: EdmModel) -> Bool {
        guard let members = root.members, root["results"] == nil else { return true }
        if members.count == 1, name == nil || members.first?.name == name { return true }
        switch type {
        case .complex(let name), .entity(let name):
            guard let type = model.structuredType(named: name) else { return false }
            return members.isEmpty || members.contains { type.property(named: $0.name) != nil }
        case .primitive(let type): return type.isGeospatial && root["coordinates"] != nil
        case .enumeration, .collection: return false
        }
    }

    /// Complex values have nothing around them.
    private static func lightContent(_ root: JSONNode, type: EdmTypeReference) -> JSONNode {
        switch type {
        case .complex, .entity: root
        case .primitive, .enumeration, .collection: root["value"] ?? root
        }
    }

    private static func isLight(_ root: JSONNode) -> Bool {
        guard let first = root.members?.first?.name else { return false }
        return first.hasPrefix("odata.") && first != "odata.error"
    }

    /// Skips the name of the property or function, where there is one.
    private static func content(_ data: JSONNode, type: EdmTypeReference, model: EdmModel) -> JSONNode {
        var node = data
        if data.members?.count == 1, let inner = data["results"], inner.members != nil { node = inner }
        switch type {
        case .collection:
            if node["results"]?.elements != nil || node.elements != nil { return node }
        case .complex(let name), .entity(let name):
            let structured = model.structuredType(named: name)
            guard node.members?.count == 1, let member = node.members?.first else { return node }
            if structured?.property(named: member.name) != nil { return node }
        case .primitive(let type) where type.isGeospatial && node["type"]?.string != nil: return node
        case .primitive, .enumeration: break
        }
        return node.members?.first { $0.name != "__metadata" }?.node ?? node
    }

    /// `{"d":{"Price":"12.50"}}`
    ///
    /// - Parameter name: Of the property, or of the function whose result the value is.
    package static func bytes(
        value: EdmValue, name: String, type: EdmTypeReference, annotations: [EdmAnnotation] = [], model: EdmModel,
        version: ODataVersion = .v2
    ) -> [UInt8] {
        var bytes = Array("{\"d\":".utf8)
        if !type.isCollection {
            bytes.append(UInt8(ascii: "{"))
            JSONText.append(quoted: name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
        VerboseValue.append(
            value, type: type, typeName: LegacyTypeName.name(of: type, annotations: annotations), model: model,
            version: version, to: &bytes)
        bytes.append(contentsOf: (type.isCollection ? "}" : "}}").utf8)
        return bytes
    }

    // MARK: Links

    /// Reads `{"d":{"uri":"…"}}`, `{"d":{"results":[{"uri":"…"}],"__count":"1","__next":"…"}}`, and `{"uri":"…"}` as
    /// requests have it; in the light JSON of V3 `{"url":"…"}` and `{"value":[{"url":"…"}],"odata.nextLink":"…"}`.
    package static func references(
        _ bytes: [UInt8], limits: PayloadLimits = .default
    ) throws(FormatError) -> (references: [String], count: Int64?, nextLink: String?) {
        let root = try parsed(bytes[...], limits: limits)
        let node = root["d"] ?? root
        if let uri = url(node) { return ([uri], nil, nil) }
        guard let elements = node["results"]?.elements ?? node.elements ?? node["value"]?.elements else {
            throw FormatError("Links are expected.", offset: node.offset)
        }
        let count = (node["__count"] ?? node["odata.count"]).flatMap(VerboseValueDecoder.text).flatMap { Int64($0) }
        return (elements.compactMap(url), count, (node["__next"] ?? node["odata.nextLink"])?.string)
    }

    private static func url(_ link: JSONNode) -> String? { (link["uri"] ?? link["url"])?.string }

    /// `{"uri":"http://h/Categories(1)"}`, as a request has it; a response has it in `d`.
    package static func bytes(reference: String, isResponse: Bool = false) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            guard isResponse else { return text.member("uri", reference) }
            text.name("d")
            text.object { $0.member("uri", reference) }
        }
        return text.bytes
    }

    package static func bytes(references: [String], count: Int64? = nil, nextLink: String? = nil) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.name("d")
            text.object { text in
                text.name("results")
                text.array { text in
                    for reference in references { text.object { $0.member("uri", reference) } }
                }
                text.member("__count", count.map(String.init))
                text.member("__next", nextLink)
            }
        }
        return text.bytes
    }

    // MARK: Errors

    /// Reads `{"error":{"code":"…","message":{"lang":"en","value":"…"},"innererror":{…}}}`; nil for other bytes.
    package static func error(_ bytes: [UInt8]) -> ServiceError? {
        guard var error = JSONPayload.error(bytes) else { return nil }
        guard error.details.isEmpty, let inner = error.innerError,
            let node = try? JSONParser.parse(Array(inner.utf8)[...])
        else { return error }
        // SAP services keep their details here.
        error.details = (node["errordetails"]?.elements ?? []).map { detail in
            ServiceError.Detail(
                code: detail["code"]?.string ?? "", message: detail["message"]?.string ?? "",
                target: detail["target"]?.string ?? detail["propertyref"]?.string)
        }
        return error
    }

    package static func bytes(error: ServiceError, language: String = "en") -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.name("error")
            text.object { text in
                text.member("code", error.code)
                text.name("message")
                text.object { text in
                    text.member("lang", language)
                    text.member("value", error.message)
                }
                guard !error.details.isEmpty || error.innerError != nil else { return }
                text.name("innererror")
                inner(error, to: &text)
            }
        }
        return text.bytes
    }

    private static func inner(_ error: ServiceError, to text: inout JSONText) {
        let source = Array((error.innerError ?? "{}").utf8)
        let members = (try? JSONParser.parse(source[...]))?.members ?? []
        text.object { text in
            for member in members where member.name != "errordetails" {
                text.name(member.name)
                text.raw(source[member.node.range])
            }
            guard !error.details.isEmpty else { return }
            text.name("errordetails")
            text.array { text in
                for detail in error.details {
                    text.object { text in
                        text.member("code", detail.code)
                        text.member("message", detail.message)
                        text.member("target", detail.target)
                    }
                }
            }
        }
    }

    // MARK: The service document

    /// `{"d":{"EntitySets":["Products","Categories"]}}`
    package static func serviceDocument(model: EdmModel) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.name("d")
            text.object { text in
                text.name("EntitySets")
                text.array { text in
                    for set in model.entitySets where set.kind == .entitySet { text.string(set.name) }
                }
            }
        }
        return text.bytes
    }

    /// What is in `d`, or the whole where a service leaves that out.
    private static func data(_ root: JSONNode, _ bytes: [UInt8]) throws(FormatError) -> JSONNode {
        if let data = root["d"] { return data }
        if let error = error(bytes) {
            throw FormatError("The payload holds an error instead of data. \(error.message)", service: error)
        }
        return root
    }
}
