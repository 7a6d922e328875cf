import ODataMetadata
import ODataModel

/// Writes values as the content of elements.
enum AtomValue {
    /// Writes what is between the tags of a property.
    ///
    /// - Parameter typeName: The V2 name of the type.
    static func write(
        _ value: EdmValue, type: EdmTypeReference?, typeName: String, model: EdmModel, to text: inout XMLText
    ) {
        switch value {
        case .null: break
        case .complex(let complex): members(complex, type: type, model: model, to: &text)
        case .collection(let values):
            let element: EdmTypeReference? = if case .collection(let element)? = type { element } else { nil }
            for value in values { property("element", value, type: element, model: model, isElement: true, to: &text) }
        case .geo(let json): text.raw(GeographyText.gml(geoJSON: json) ?? "")
        default: text.text(LegacyLexical.text(value.typed(type), typeName: typeName))
        }
    }

    private static func members(
        _ value: EdmComplexValue, type: EdmTypeReference?, model: EdmModel, to text: inout XMLText
    ) {
        var declared: EdmStructuredType?
        if case .complex(let name)? = type { declared = model.structuredType(named: value.type ?? name) }
        for member in value.members {
            let found = declared?.property(named: member.name)
            property(
                member.name, member.value, type: found?.type, annotations: found?.annotations ?? [], model: model,
                to: &text)
        }
    }

    /// `<d:Price m:type="Edm.Decimal">12.50</d:Price>`, `<d:Price m:null="true"/>`
    static func property(
        _ name: String, _ value: EdmValue, type: EdmTypeReference?, annotations: [EdmAnnotation] = [], model: EdmModel,
        isElement: Bool = false, attributes: String = "", to text: inout XMLText
    ) {
        var typeName = type.map { LegacyTypeName.name(of: $0, annotations: annotations) } ?? inferred(value)
        if case .complex(let complex) = value, let derived = complex.type { typeName = derived.description }
        text.raw("<d:\(name)\(attributes)")
        if !isElement, typeName != "Edm.String" { text.attribute("m:type", typeName) }
        if value.isNull {
            text.raw(" m:null=\"true\"/>")
            return
        }
        text.raw(">")
        write(value, type: type, typeName: typeName, model: model, to: &text)
        text.raw("</d:\(name)>")
    }

    private static func inferred(_ value: EdmValue) -> String {
        switch value {
        case .boolean: "Edm.Boolean"
        case .integer(let number): Int32(exactly: number) == nil ? "Edm.Int64" : "Edm.Int32"
        case .double: "Edm.Double"
        case .decimal: "Edm.Decimal"
        case .binary: "Edm.Binary"
        case .guid: "Edm.Guid"
        case .date: "Edm.DateTime"
        case .dateTimeOffset: "Edm.DateTimeOffset"
        case .timeOfDay: "Edm.Time"
        default: "Edm.String"
        }
    }

    /// A dynamic property, whose JSON names its type.
    static func writeDynamic(_ name: String, _ node: JSONNode, to text: inout XMLText) {
        func element(_ type: String?, _ content: String) {
            text.element("d:\(name)", ["m:type": type], text: content)
        }
        switch node.content {
        case .null: text.element("d:\(name)", ["m:null": "true"])
        case .boolean(let value): element("Edm.Boolean", "\(value)")
        case .string(let string): element(nil, string)
        case .number(let digits):
            let type = Int32(digits) != nil ? "Edm.Int32" : Int64(digits) != nil ? "Edm.Int64" : "Edm.Double"
            element(type, digits)
        case .array(let elements):
            text.raw("<d:\(name)>")
            for node in elements { writeDynamic("element", node, to: &text) }
            text.raw("</d:\(name)>")
        case .object(let members):
            text.raw("<d:\(name)>")
            for member in members where !member.name.contains("@") { writeDynamic(member.name, member.node, to: &text) }
            text.raw("</d:\(name)>")
        }
    }
}
