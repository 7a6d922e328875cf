import ODataMetadata
import ODataModel

/// Writes values as verbose JSON.
enum VerboseValue {
    /// - Parameter typeName: The V2 name of the type.
    static func append(
        _ value: EdmValue, type: EdmTypeReference?, typeName: String, model: EdmModel, version: ODataVersion,
        to bytes: inout [UInt8]
    ) {
        switch value {
        case .complex(let complex): append(complex, type: type, model: model, version: version, to: &bytes)
        case .collection(let values):
            let element: EdmTypeReference? = if case .collection(let element)? = type { element } else { nil }
            let name = element.map { LegacyTypeName.name(of: $0) } ?? "Edm.String"
            bytes.append(contentsOf: "{\"__metadata\":{\"type\":\"Collection(\(name))\"},\"results\":[".utf8)
            for (position, value) in values.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, type: element, typeName: name, model: model, version: version, to: &bytes)
            }
            bytes.append(contentsOf: "]}".utf8)
        default:
            LegacyLexical.appendJSON(value.typed(type), typeName: typeName, usesTicks: version < .v3, to: &bytes)
        }
    }

    private static func append(
        _ value: EdmComplexValue, type: EdmTypeReference?, model: EdmModel, version: ODataVersion,
        to bytes: inout [UInt8]
    ) {
        var declared: EdmStructuredType?
        if case .complex(let name)? = type { declared = model.structuredType(named: value.type ?? name) }
        bytes.append(UInt8(ascii: "{"))
        if let declared {
            bytes.append(contentsOf: "\"__metadata\":{\"type\":\"\(declared.name)\"}".utf8)
        }
        for (position, member) in value.members.enumerated() {
            if position > 0 || declared != nil { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(quoted: member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            let property = declared?.property(named: member.name)
            let typeName = LegacyTypeName.name(
                of: property?.type ?? .string, annotations: property?.annotations ?? [])
            append(
                member.value, type: property?.type, typeName: typeName, model: model, version: version, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
