import ODataModel

/// Makes V4 values out of verbose JSON, as their types say.
///
/// [OData-JSON-Verbose-Format V3, section 7]
struct VerboseValueDecoder {
    let model: EdmModel
    /// Whether members of complex values that the type does not have are errors; else they pass.
    var isStrict = false
    /// Receives each member of a complex value that its type does not have and that passes.
    var passOver: (_ member: String, _ type: EdmQualifiedName) -> Void = { _, _ in }

    /// - Parameters:
    ///   - name: Of the property, for messages.
    ///   - source: The bytes that the nodes were parsed from.
    func value(
        _ node: JSONNode, type: EdmTypeReference, name: String, source: ArraySlice<UInt8>
    ) throws(JSONError) -> EdmValue {
        if node.isNull { return .null }
        switch type {
        case .collection(let element):
            guard let elements = node.elements ?? node["results"]?.elements else {
                throw mismatch(node, type: type, name: name)
            }
            var values: [EdmValue] = []
            for (index, item) in elements.enumerated() {
                let path = isStrict ? "\(name)/\(index)" : name
                values.append(try value(item, type: element, name: path, source: source))
            }
            return .collection(values)
        case .complex(let typeName), .entity(let typeName):
            return .complex(try complex(node, type: typeName, name: name, source: source))
        case .enumeration(let enumeration):
            guard let text = Self.text(node) else { throw mismatch(node, type: type, name: name) }
            return .enumeration(enumeration, text)
        case .primitive(let primitive):
            if primitive == .untyped || primitive == .primitiveType { return untyped(node) }
            if primitive.isGeospatial, node.members != nil {
                return .geo(String(decoding: source[node.range], as: UTF8.self))
            }
            guard let value = primitiveValue(node, primitive) else { throw mismatch(node, type: type, name: name) }
            return value
        }
    }

    private func complex(
        _ node: JSONNode, type: EdmQualifiedName, name: String, source: ArraySlice<UInt8>
    ) throws(JSONError) -> EdmComplexValue {
        guard let members = node.members else {
            throw mismatch(node, type: .complex(type), name: name)
        }
        let declared = model.structuredType(named: type)
        let typeName = node["__metadata"]?["type"]?.string ?? node["odata.type"]?.string
        let told = typeName.flatMap { model.structuredType(named: EdmQualifiedName($0)) }
        let structured = told.flatMap { told in declared.map(told.isKind) ?? true ? told : nil } ?? declared
        var value = EdmComplexValue()
        for member in members where !Self.isControl(member.name) {
            let path = "\(name)/\(member.name)"
            if let property = structured?.property(named: member.name) {
                value[member.name] = try self.value(member.node, type: property.type, name: path, source: source)
            } else if structured?.isOpen ?? true {
                value[member.name] = untyped(member.node)
            } else if isStrict {
                throw JSONError(
                    ValueProblem(path, ValueProblem.isNotDeclared(by: type)).message, offset: member.offset)
            } else {
                passOver(member.name, type)
            }
        }
        return value
    }

    private func primitiveValue(_ node: JSONNode, _ primitive: EdmPrimitiveType) -> EdmValue? {
        switch node.content {
        case .boolean(let value): return primitive == .boolean ? .boolean(value) : nil
        case .string(let text):
            return isStrict ? LegacyLexical.value(text, primitive) : LegacyLexical.received(text, primitive)
        case .number(let digits):
            guard primitive.isNumeric || primitive == .boolean else { return nil }
            if let value = LegacyLexical.value(digits, primitive) { return value }
            // 5.0 and 1e3 are integers too
            guard let range = primitive.integerRange else { return nil }
            return EdmDecimal(digits)?.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
        case .null, .array, .object: return nil
        }
    }

    /// A value that nothing indicates the type of; text that is a date in the spelling of V2 is one.
    func untyped(_ node: JSONNode) -> EdmValue {
        switch node.content {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let digits):
            if let value = Int64(digits) { return .integer(value) }
            return Double(digits: digits).map { .double($0) } ?? EdmDecimal(digits).map { .decimal($0) }
                ?? .string(digits)
        case .string(let text):
            guard text.hasPrefix("/Date("), let date = LegacyLexical.dateTime(text) else { return .string(text) }
            return .dateTimeOffset(date)
        case .array(let elements): return .collection(elements.map(untyped))
        case .object(let members):
            if let results = node["results"]?.elements { return .collection(results.map(untyped)) }
            let list = members.filter { !Self.isControl($0.name) }
            return .complex(EdmComplexValue(list.map { .init(name: $0.name, value: untyped($0.node)) }))
        }
    }

    private static func isControl(_ name: String) -> Bool {
        name == "__metadata" || LightControl.isAnnotation(name)
    }

    static func text(_ node: JSONNode) -> String? {
        switch node.content {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    private func mismatch(_ node: JSONNode, type: EdmTypeReference, name: String) -> JSONError {
        JSONError(ValueProblem(name, ValueProblem.takes(type, not: node.shown)).message, offset: node.offset)
    }
}
