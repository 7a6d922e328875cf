import ODataModel

/// Literals take the type of what they meet, where that loses nothing.
///
/// [OData-URL, section 5.1.1.14.1: Primitive Literals]
extension Binder {
    /// The type of a literal that meets nothing.
    func type(of value: Value) -> TypeReference? {
        switch value {
        case .null, .geo, .complex, .collection: nil
        case .boolean: .boolean
        case .integer(let number): PrimitiveType.int32.integerRange?.contains(number) == true ? .int32 : .int64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .binary: .primitive(.binary)
        case .guid: .primitive(.guid)
        case .date: .primitive(.date)
        case .dateTimeOffset: .primitive(.dateTimeOffset)
        case .timeOfDay: .primitive(.timeOfDay)
        case .duration: .primitive(.duration)
        case .enumeration(let name, _): .enumeration(name)
        }
    }

    /// `value` as a value of `type`; nil if it is none.
    func coerced(_ value: Value, to type: TypeReference) -> Value? {
        switch type {
        case .primitive(let primitive): coerced(value, to: primitive)
        case .enumeration(let name): enumeration(value, name)
        default: value.isNull ? .null : nil
        }
    }

    private func coerced(_ value: Value, to type: PrimitiveType) -> Value? {
        switch value {
        case .null: return .null
        case .integer(let number): return integer(number, to: type)
        case .decimal(let number): return decimal(number, to: type)
        case .double(let number): return type == .double || type == .single ? .double(rounded(number, type)) : nil
        case .string(let text) where type == .duration: return EdmDuration(text).map { .duration($0) }
        case .date(let date) where type == .dateTimeOffset:
            return .dateTimeOffset(EdmDateTimeOffset(date: date, time: .midnight))
        default: return self.type(of: value) == .primitive(type) ? value : nil
        }
    }

    private func integer(_ number: Int64, to type: PrimitiveType) -> Value? {
        if let range = type.integerRange { return range.contains(number) ? .integer(number) : nil }
        switch type {
        case .decimal: return .decimal(EdmDecimal(number))
        case .double, .single:
            let double = rounded(Double(number), type)
            return Int64(exactly: double) == number ? .double(double) : nil
        default: return nil
        }
    }

    private func decimal(_ number: EdmDecimal, to type: PrimitiveType) -> Value? {
        if let range = type.integerRange {
            return number.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
        }
        switch type {
        case .decimal: return .decimal(number)
        case .double, .single: return .double(rounded(number.doubleValue, type))
        default: return nil
        }
    }

    private func rounded(_ number: Double, _ type: PrimitiveType) -> Double {
        type == .single ? Double(Float(number)) : number
    }

    // MARK: Enumerations

    private func enumeration(_ value: Value, _ name: QualifiedName) -> Value? {
        switch value {
        case .null: .null
        case .enumeration(name, _): value
        case .string(let text):
            model.enumType(named: name).flatMap { $0.text(text) }.map { .enumeration(name, $0) }
        default: nil
        }
    }

    /// `value` itself; where it is of an enumeration type, with the type's full name, and its members checked.
    func checkedEnumeration(_ value: Value, at offset: Int) throws(QueryError) -> Value {
        guard case .enumeration(let written, let text) = value else { return value }
        let name = resolved(written)
        guard let type = model.enumType(named: name) else {
            let known = model.schemas.flatMap(\.enumTypes).map(\.name.description)
            throw unknown("type \(written)", NameSyntax(text: "\(written)", offset: offset), among: known)
        }
        guard let canonical = type.text(text) else {
            let nearest = nearestName(to: text, in: type.members.map(\.name))
            throw error(.unknownName, "There is no member '\(text)' in \(name).", at: offset, expected: nearest)
        }
        return .enumeration(name, canonical)
    }
}

extension EnumType {
    /// `text` without white space, if it names members of this type or gives numbers; nil otherwise.
    fileprivate func text(_ text: String) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard isFlags || parts.count == 1 else { return nil }
        let isKnown = parts.allSatisfy { part in members.contains { $0.name == part } || Int64(part) != nil }
        return isKnown ? parts.joined(separator: ",") : nil
    }
}
