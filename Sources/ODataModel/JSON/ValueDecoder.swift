/// Makes values out of JSON, as their types say.
///
/// [OData-JSON, section 7]
package struct ValueDecoder {
    package let model: EdmModel
    /// Whether unknown members of complex values and unknown enumeration members are errors; else they pass.
    package let isStrict: Bool
    private let source: ArraySlice<UInt8>
    /// What messages call a value: `property`, `parameter`.
    private let subject: String

    /// - Parameter source: The bytes that the nodes were parsed from.
    package init(
        model: EdmModel, source: ArraySlice<UInt8>, isStrict: Bool = false, subject: String = "property"
    ) {
        self.model = model
        self.source = source
        self.isStrict = isStrict
        self.subject = subject
    }

    /// - Parameter name: The path of the property, for messages.
    package func value(_ node: JSONNode, type: EdmTypeReference, name: String) throws(JSONError) -> EdmValue {
        if node.isNull { return .null }
        switch type {
        case .collection(let element): return .collection(try elements(node, type: element, name: name))
        case .complex(let type): return .complex(try complex(node, type: type, name: name))
        case .entity(let type): return .complex(try entity(node, type: type, name: name))
        case .enumeration(let type): return .enumeration(type, try member(node, type: type, name: name))
        case .primitive(let primitive): return try value(node, primitive: primitive, name: name)
        }
    }

    private func elements(_ node: JSONNode, type: EdmTypeReference, name: String) throws(JSONError) -> [EdmValue] {
        guard let elements = node.elements else { throw mismatch(node, type: .collection(type), name: name) }
        var values: [EdmValue] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            // Only messages to clients have the position.
            let path = isStrict ? "\(name)/\(index)" : name
            values.append(try value(element, type: type, name: path))
        }
        return values
    }

    /// The properties of an entity, with its id if it reports one.
    private func entity(_ node: JSONNode, type: EdmQualifiedName, name: String) throws(JSONError) -> EdmComplexValue {
        var value = try complex(node, type: type, name: name)
        if let id = node.control("id")?.string { value["@odata.id"] = .string(id) }
        return value
    }

    private func complex(_ node: JSONNode, type: EdmQualifiedName, name: String) throws(JSONError) -> EdmComplexValue {
        guard let members = node.members else { throw mismatch(node, type: .complex(type), name: name) }
        guard let declared = model.structuredType(named: type) else {
            throw JSONError("The type \(type) of \(name) is not in the model.", offset: node.offset)
        }
        let actual = try structuredType(of: node, declared: declared, name: name)
        var value = EdmComplexValue([], type: actual.name == declared.name ? nil : actual.name)
        for member in members where !member.name.contains("@") {
            let path = "\(name)/\(member.name)"
            if let property = actual.property(named: member.name) {
                value[member.name] = try self.value(member.node, type: property.type, name: path)
            } else if actual.isOpen || (!isStrict && node.control("type", of: member.name) != nil) {
                // A computed one brings its type along.
                value[member.name] = try dynamicValue(of: member, in: node, name: path)
            } else if isStrict, actual.navigationProperty(named: member.name) == nil {
                throw problem(path, ValueProblem.isNotDeclared(by: actual.name), offset: member.offset)
            }
        }
        return value
    }

    /// The declared type, or the one that `@odata.type` names if that derives from it.
    ///
    /// - Throws: where another type is named and this is strict.
    private func structuredType(
        of node: JSONNode, declared: EdmStructuredType, name: String
    ) throws(JSONError) -> EdmStructuredType {
        guard let annotation = node.control("type"), let text = annotation.string else { return declared }
        switch EdmTypeReference(annotation: text, model: model) {
        case .complex(let name), .entity(let name):
            if let type = model.structuredType(named: name), type.isKind(of: declared) { return type }
        default: break
        }
        guard isStrict else { return declared }
        let found = text.split(separator: "#").last ?? ""
        throw problem(
            name, ValueProblem.takes(.complex(declared.name), not: "a \(found)"), offset: annotation.offset)
    }

    private func member(_ node: JSONNode, type: EdmQualifiedName, name: String) throws(JSONError) -> String {
        let text: String? =
            switch node.content {
            case .string(let string): string
            case .number(let digits): digits
            default: nil
            }
        guard isStrict, text.flatMap(Int64.init) == nil, let known = model.enumType(named: type) else {
            guard let text else { throw mismatch(node, type: .enumeration(type), name: name) }
            return text
        }
        guard let text, known.declaredNumber(of: .string(text)) != nil else {
            throw problem(name, ValueProblem.takes(membersOf: known, not: node.shown), offset: node.offset)
        }
        return text
    }

    private func value(_ node: JSONNode, primitive: EdmPrimitiveType, name: String) throws(JSONError) -> EdmValue {
        if primitive.isGeospatial {
            guard GeoJSON.isValue(node, of: primitive, isStrict: isStrict) else {
                throw mismatch(node, type: .primitive(primitive), name: name)
            }
            return .geo(String(decoding: source[node.range], as: UTF8.self))
        }
        if primitive == .untyped { return try untyped(node, name: name) }
        if primitive == .primitiveType, node.members == nil, node.elements == nil {
            return try untyped(node, name: name)
        }
        let value: EdmValue? =
            switch node.content {
            case .boolean(let value): primitive == .boolean ? .boolean(value) : nil
            case .number(let digits): primitive.isNumeric ? number(digits, primitive: primitive) : nil
            case .string(let text): string(text, primitive: primitive)
            case .null, .array, .object: nil
            }
        guard let value else { throw mismatch(node, type: .primitive(primitive), name: name) }
        return value
    }

    private func number(_ digits: String, primitive: EdmPrimitiveType) -> EdmValue? {
        let value = EdmValue(lexical: digits, type: .primitive(primitive))
        guard value == nil, let range = primitive.integerRange else { return value }
        // 1e3 and 5.0 are integers too
        return EdmDecimal(digits)?.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
    }

    private func string(_ text: String, primitive: EdmPrimitiveType) -> EdmValue? {
        switch primitive {
        case .boolean, .byte, .sByte, .int16, .int32: nil
        case .double, .single: Self.special(text)
        case .decimal: EdmValue(lexical: text, type: .decimal) ?? Self.special(text)
        default: EdmValue(lexical: text, type: .primitive(primitive))
        }
    }

    /// `INF`, `-INF`, `NaN`: doubles, and decimals of floating scale.
    private static func special(_ text: String) -> EdmValue? {
        ["INF", "-INF", "NaN"].contains(text) ? EdmValue(lexical: text, type: .double) : nil
    }

    private func mismatch(_ node: JSONNode, type: EdmTypeReference, name: String) -> JSONError {
        problem(name, ValueProblem.takes(type, not: node.shown), offset: node.offset)
    }

    package func problem(_ path: String, _ what: String, offset: Int) -> JSONError {
        JSONError(ValueProblem(path, what, subject: subject).message, offset: offset)
    }
}
