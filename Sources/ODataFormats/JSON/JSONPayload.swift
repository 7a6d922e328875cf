import ODataModel
import ODataQuery

/// Small JSON messages: request bodies, values, references, errors, the service document.
///
/// [OData-JSON]
package enum JSONPayload {
    /// Reads the value of a property: `{"@odata.context":"…","value":12.50}`; complex values may stand without
    /// `value`.
    package static func value(
        _ bytes: [UInt8], type: TypeReference, model: Model
    ) throws(FormatError) -> Value {
        let node = try parsed(bytes[...])
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true)
        do {
            if case .complex(let name) = type, node.members != nil,
                node["value"] == nil || model.structuredType(named: name)?.property(named: "value") != nil
            {
                return try decoder.value(node, type: type, name: "value")
            }
            if let value = node["value"] { return try decoder.value(value, type: type, name: "value") }
            if node.members == nil, !type.isCollection { return try decoder.value(node, type: type, name: "value") }
        } catch {
            throw FormatError(error)
        }
        throw FormatError("The object has no member “value”.", offset: node.offset)
    }

    /// `{"@odata.context":"…","value":12.50}`
    package static func bytes(
        value: Value, type: TypeReference, model: Model? = nil, contextURL: String? = nil,
        ieee754Compatible: Bool = false
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member("@odata.context", contextURL)
            if case .complex(let complex) = value {
                for member in complex.members {
                    text.name(member.name)
                    text.raw(member.value.jsonText)
                }
                return
            }
            var bytes: [UInt8] = []
            if let model {
                value.appendJSON(to: &bytes, type: type, model: model, ieee754Compatible: ieee754Compatible)
            } else {
                value.appendJSON(to: &bytes, ieee754Compatible: ieee754Compatible)
            }
            text.name("value")
            text.raw(bytes)
        }
        return text.bytes
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
    package static func bytes(reference: String, contextURL: String? = nil) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member("@odata.context", contextURL)
            text.member("@odata.id", reference)
        }
        return text.bytes
    }

    /// `{"@odata.context":"http://h/$metadata","value":[{"name":"Products","kind":"EntitySet","url":"Products"}]}`
    ///
    /// - Parameter serviceRoot: With a trailing slash; nil leaves the context out.
    package static func serviceDocument(model: Model, serviceRoot: String?) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member("@odata.context", serviceRoot.map { $0 + "$metadata" })
            text.name("value")
            text.array { text in
                for set in model.entitySets {
                    text.object { text in
                        text.member("name", set.name)
                        text.member("kind", set.kind == .singleton ? "Singleton" : "EntitySet")
                        text.member("url", set.name)
                    }
                }
            }
        }
        return text.bytes
    }
}
