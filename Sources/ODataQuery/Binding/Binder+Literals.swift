import ODataModel

/// Literals take the type of what they meet, where that loses nothing.
///
/// [OData-URL, section 5.1.1.14.1: Primitive Literals]
extension Binder {
    /// The type of a literal that meets nothing.
    func type(of value: EdmValue) -> EdmTypeReference? {
        switch value {
        case .null, .geo: nil
        case .complex: .untyped
        case .collection(let values): .collection(values.lazy.compactMap { self.type(of: $0) }.first ?? .untyped)
        case .boolean: .boolean
        case .integer(let number): EdmPrimitiveType.int32.integerRange?.contains(number) == true ? .int32 : .int64
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

    /// `value` as a value of `type`; nil if it is not of that type.
    func coerced(_ value: EdmValue, to type: EdmTypeReference) -> EdmValue? {
        switch type {
        case .primitive(let primitive): coerced(value, to: primitive)
        case .enumeration(let name): enumeration(value, name)
        case .complex(let name): complex(value, name)
        case .entity(let name): value.isNull ? .null : complex(value, name)
        case .collection(let element): collection(value, element)
        }
    }

    private func collection(_ value: EdmValue, _ element: EdmTypeReference) -> EdmValue? {
        guard case .collection(let values) = value else { return value.isNull ? .null : nil }
        let converted = values.compactMap { member($0, of: element) }
        return converted.count == values.count ? .collection(converted) : nil
    }

    private func complex(_ value: EdmValue, _ name: EdmQualifiedName) -> EdmValue? {
        guard case .complex(let written) = value else { return value.isNull ? .null : nil }
        guard let type = model.structuredType(named: name) else { return value }
        var result = EdmComplexValue()
        for member in written.members {
            guard let property = type.property(named: member.name) else {
                guard type.isOpen || member.name.utf8.contains(UInt8(ascii: "@")) else { return nil }
                result[member.name] = member.value
                continue
            }
            guard let converted = self.member(member.value, of: property.type) else { return nil }
            result[member.name] = converted
        }
        return .complex(result)
    }

    /// Inside JSON strings stand for values of many types: `"2024-01-02"`
    private func member(_ value: EdmValue, of type: EdmTypeReference) -> EdmValue? {
        if case .string(let text) = value, let primitive = type.primitive, primitive != .untyped {
            return EdmValue(lexical: text, type: type)
        }
        return coerced(value, to: type)
    }

    private func coerced(_ value: EdmValue, to type: EdmPrimitiveType) -> EdmValue? {
        switch value {
        case .null: return .null
        case _ where type == .untyped || type == .primitiveType: return value
        case .integer(let number): return integer(number, to: type)
        case .decimal(let number): return decimal(number, to: type)
        case .double(let number):
            return type == .double || type == .single ? number.nearest(in: type).map(EdmValue.double) : nil
        case .string(let text): return string(text, to: type)
        case .date(let date) where type == .dateTimeOffset:
            return .dateTimeOffset(EdmDateTimeOffset(date: date, time: .midnight))
        case .dateTimeOffset(let instant) where type == .date && source.dialect.isLegacy: return .date(instant.date)
        case .duration(let duration) where type == .timeOfDay && source.dialect.isLegacy:
            return timeOfDay(duration).map { .timeOfDay($0) }
        // `time'PT1H'` of V2, beside a duration.
        case .timeOfDay(let time) where type == .duration && source.dialect.isLegacy:
            let seconds = Int64(time.hour * 3600 + time.minute * 60 + time.second)
            return .duration(EdmDuration(seconds: seconds, picoseconds: time.picosecond))
        case .geo: return type.isGeospatial ? value : nil
        default: return self.type(of: value) == .primitive(type) ? value : nil
        }
    }

    /// `time'PT7H59M'` of V2 as a time of day.
    private func timeOfDay(_ duration: EdmDuration) -> EdmTimeOfDay? {
        guard (0..<86_400).contains(duration.seconds) else { return nil }
        let second = Int(duration.seconds)
        return EdmTimeOfDay(
            hour: second / 3600, minute: second / 60 % 60, second: second % 60, picosecond: duration.picoseconds)
    }

    /// Durations may come without their prefix.
    private func string(_ text: String, to type: EdmPrimitiveType) -> EdmValue? {
        switch type {
        case .string: .string(text)
        case .duration: EdmDuration(text).map { .duration($0) }
        default: nil
        }
    }

    private func integer(_ number: Int64, to type: EdmPrimitiveType) -> EdmValue? {
        if let range = type.integerRange { return range.contains(number) ? .integer(number) : nil }
        switch type {
        case .decimal: return .decimal(EdmDecimal(number))
        case .double, .single:
            return Double(number).nearest(in: type).flatMap { Int64(exactly: $0) == number ? .double($0) : nil }
        default: return nil
        }
    }

    private func decimal(_ number: EdmDecimal, to type: EdmPrimitiveType) -> EdmValue? {
        if let range = type.integerRange {
            return number.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
        }
        switch type {
        case .decimal: return .decimal(number)
        case .double, .single: return number.nearest(in: type).map(EdmValue.double)
        default: return nil
        }
    }
}
