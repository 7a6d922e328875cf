import ODataMetadata
import ODataModel
import ODataQuery

/// Small JSON messages: request bodies, values, references, errors, the service document.
///
/// [OData-JSON]
package enum JSONPayload {
    /// Reads the value of a property: `{"@odata.context":"…","value":12.50}`; complex values may stand without
    /// `value`.
    ///
    /// - Parameter name: The property, for messages.
    package static func value(
        _ bytes: [UInt8], type: EdmTypeReference, model: EdmModel, name: String = "value"
    ) throws(FormatError) -> EdmValue {
        let node = try parsed(bytes[...])
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true)
        do {
            if case .complex(let complex) = type, node.members != nil,
                node["value"] == nil || model.structuredType(named: complex)?.property(named: "value") != nil
            {
                return try decoder.value(node, type: type, name: name)
            }
            if let value = node["value"] { return try decoder.value(value, type: type, name: name) }
            if node.members == nil, !type.isCollection { return try decoder.value(node, type: type, name: name) }
        } catch {
            throw FormatError(error)
        }
        throw FormatError("The object has no member “value”.", offset: node.offset)
    }

    /// `{"@odata.context":"…","value":12.50}`; complex values stand without `value`.
    ///
    /// - Parameters:
    ///   - count: `@odata.count` of a collection.
    ///   - nextLink: `@odata.nextLink` of a collection.
    package static func bytes(
        value: EdmValue, type: EdmTypeReference, model: EdmModel?, options: JSONWriterOptions, count: Int64? = nil,
        nextLink: String? = nil
    ) -> [UInt8] {
        let style = options.style
        let writer = JSONValueWriter(style: style, model: model)
        var bytes: [UInt8] = []
        writer.append(value, type: type, to: &bytes)
        let context = options.metadata == .none ? nil : options.contextURL
        var text = JSONText()
        text.object { text in
            text.member(style.control("context"), context)
            if case .complex = value {
                if bytes.count > 2 { text.raw(bytes.dropFirst().dropLast()) }
                return
            }
            if let count {
                text.name(style.control("count"))
                if options.ieee754Compatible { text.string("\(count)") } else { text.integer(count) }
            }
            text.name("value")
            text.raw(bytes)
            text.member(style.control("nextLink"), nextLink)
        }
        return text.bytes
    }

    /// `{"@odata.context":"…","value":12.50}`
    package static func bytes(
        value: EdmValue, type: EdmTypeReference, model: EdmModel? = nil, contextURL: String? = nil,
        ieee754Compatible: Bool = false
    ) -> [UInt8] {
        var options = JSONWriterOptions()
        options.contextURL = contextURL
        options.ieee754Compatible = ieee754Compatible
        return bytes(value: value, type: type, model: model, options: options)
    }

    /// Reads `{"@odata.id":"Categories(1)"}`.
    package static func reference(_ bytes: [UInt8]) throws(FormatError) -> String {
        let node = try parsed(bytes[...])
        guard let id = node.control("id")?.string else {
            throw FormatError("A reference is an object with “@odata.id”.", offset: node.offset)
        }
        return id
    }

    /// `{"@odata.context":"…$metadata#$ref","@odata.id":"Categories(1)"}`
    package static func bytes(
        reference: String, contextURL: String? = nil, style: JSONStyle = JSONStyle()
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member(style.control("context"), contextURL)
            text.member(style.control("id"), reference)
        }
        return text.bytes
    }

    /// `{"@odata.context":"http://h/$metadata","value":[{"name":"Products","kind":"EntitySet","url":"Products"}]}`
    ///
    /// - Parameter serviceRoot: With a trailing slash; nil leaves the context out.
    package static func serviceDocument(
        model: EdmModel, serviceRoot: String?, style: JSONStyle = JSONStyle()
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member(style.control("context"), serviceRoot.map { $0 + "$metadata" })
            text.name("value")
            text.array { text in
                for set in model.entitySets {
                    member(set.name, kind: set.kind == .singleton ? "Singleton" : "EntitySet", to: &text)
                }
                for item in model.schemas.flatMap(\.operationImports)
                where item.kind == .function && item.isInServiceDocument {
                    member(item.name, kind: "FunctionImport", to: &text)
                }
            }
        }
        return text.bytes
    }

    private static func member(_ name: String, kind: String, to text: inout JSONText) {
        text.object { text in
            text.member("name", name)
            text.member("kind", kind)
            text.member("url", name)
        }
    }
}
