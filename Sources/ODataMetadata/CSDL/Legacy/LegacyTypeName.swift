import ODataModel

/// The names that V2 and V3 have for types.
package enum LegacyTypeName {
    /// `Edm.DateTime` for `Edm.Date`, `Edm.Time` for `Edm.TimeOfDay`; a type that V2 has under its own name keeps it.
    /// V2 has no durations, its `Edm.Time` ends after a day: they are text, `P1DT2H`.
    ///
    /// [OData V2 Overview, section 6: Primitive Data Types]
    ///
    /// - Parameter annotations: Of the property. A property that was declared `Edm.DateTime` remembers it.
    package static func name(of type: EdmTypeReference, annotations: [EdmAnnotation] = []) -> String {
        switch type {
        case .primitive(let primitive): return name(of: primitive, annotations: annotations)
        case .enumeration: return "Edm.String"
        case .complex(let name), .entity(let name): return name.description
        case .collection(let element): return "Collection(\(name(of: element, annotations: annotations)))"
        }
    }

    private static func name(of type: EdmPrimitiveType, annotations: [EdmAnnotation]) -> String {
        switch type {
        case .date: return "Edm.DateTime"
        case .timeOfDay: return "Edm.Time"
        case .dateTimeOffset:
            let declared = annotations.first { $0.term == EdmAnnotation.legacyType }?.value.string
            return declared == "Edm.DateTime" ? "Edm.DateTime" : "Edm.DateTimeOffset"
        case .duration, .untyped, .primitiveType: return "Edm.String"
        default: return "Edm.\(type.rawValue)"
        }
    }

    /// The V4 type that a V2 name stands for: `Edm.DateTime`, `Model.Address`, `Collection(Edm.Int32)`, `Bag(…)`.
    package static func type(named text: String, model: EdmModel) -> EdmTypeReference? {
        for prefix in ["Collection(", "Bag("] where text.hasPrefix(prefix) && text.hasSuffix(")") {
            let inner = String(text.dropFirst(prefix.count).dropLast())
            return type(named: inner, model: model).map { .collection($0) }
        }
        switch text {
        case "Edm.DateTime": return .primitive(.dateTimeOffset)
        case "Edm.Time": return .primitive(.timeOfDay)
        case "Edm.Float": return .double
        default: break
        }
        if text.hasPrefix("Edm.") {
            return EdmPrimitiveType(rawValue: String(text.dropFirst(4))).map { .primitive($0) }
        }
        let name = EdmQualifiedName(text)
        if let type = model.structuredType(named: name) { return type.reference }
        return model.enumType(named: name).map { .enumeration($0.name) }
    }
}
