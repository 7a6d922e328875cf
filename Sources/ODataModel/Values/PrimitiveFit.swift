/// Values as a property of a primitive type takes them.
package struct PrimitiveFit: Sendable {
    let type: EdmPrimitiveType

    package init(type: EdmPrimitiveType) { self.type = type }

    /// The value in the type; nil if it is of another one or outside its range.
    package func value(_ value: EdmValue) -> EdmValue? {
        switch (type, value) {
        case (.string, .string), (.boolean, .boolean), (.binary, .binary), (.guid, .guid), (.date, .date),
            (.dateTimeOffset, .dateTimeOffset), (.timeOfDay, .timeOfDay), (.duration, .duration),
            (.decimal, .decimal):
            return value
        case (.double, _), (.single, _): return number(value)?.nearest(in: type).map(EdmValue.double)
        case (.decimal, .integer(let number)): return .decimal(EdmDecimal(number))
        case (.decimal, .double(let number)): return EdmDecimal(number).map(EdmValue.decimal)
        case (.primitiveType, .complex), (.primitiveType, .collection): return nil
        case (.untyped, _), (.primitiveType, _): return value
        case (_, .geo(let text)): return type.isGeospatial && GeoJSON.isValue(text, of: type) ? value : nil
        default: return integer(value)
        }
    }

    /// The same of what an app or a client sets: text is read as a value of the types whose values are text in payloads
    /// and that no other type is taken for.
    package func property(_ value: EdmValue) -> EdmValue? {
        switch (type, value) {
        case (.guid, .string(let text)), (.date, .string(let text)), (.dateTimeOffset, .string(let text)),
            (.timeOfDay, .string(let text)), (.duration, .string(let text)):
            EdmValue(lexical: text, type: .primitive(type))
        default: self.value(value)
        }
    }

    private func number(_ value: EdmValue) -> Double? {
        switch value {
        case .double(let number): number
        case .integer(let number): Double(number)
        case .decimal(let number): number.nearest(in: .double)
        default: nil
        }
    }

    private func integer(_ value: EdmValue) -> EdmValue? {
        guard let range = type.integerRange else { return nil }
        let number: Int64? =
            switch value {
            case .integer(let number): number
            case .decimal(let number): number.integerValue
            case .double(let number): Int64(exactly: number)
            default: nil
            }
        return number.flatMap { range.contains($0) ? .integer($0) : nil }
    }
}

extension EdmValue {
    /// Text as a value of the property's type, where the values of that are text in payloads; else the value itself.
    package func typed(_ type: EdmTypeReference?) -> EdmValue {
        guard case .string = self, case .primitive(let primitive)? = type else { return self }
        return PrimitiveFit(type: primitive).property(self) ?? self
    }
}
