import ODataModel

extension EdmValue {
    /// Reads the raw value of a property as V1 to V3 send it; nil if `text` is not valid.
    package init?(legacyText text: String, type: EdmTypeReference) {
        switch type {
        case .primitive(let primitive):
            guard let value = LegacyLexical.value(text, primitive) else { return nil }
            self = value
        case .enumeration(let name): self = .enumeration(name, text)
        case .complex, .entity, .collection: return nil
        }
    }
}
