/// Values whose types no declaration gives.
///
/// [OData-JSON, section 4.5.3]
extension ValueDecoder {
    /// The value of a dynamic property of the object `node`, of the type that its control information reports.
    package func dynamicValue(
        of member: JSONNode.Member, in node: JSONNode, name: String
    ) throws(JSONError) -> EdmValue {
        guard let annotation = node.control("type", of: member.name)?.string else {
            return try untyped(member.node, name: name)
        }
        guard let type = EdmTypeReference(annotation: annotation, model: model) else {
            guard isStrict else { return try untyped(member.node, name: name) }
            throw JSONError("The type \(annotation) of \(name) is unknown.", offset: member.offset)
        }
        return try value(member.node, type: type, name: name)
    }

    /// The dynamic properties in a JSON object, as a reader of entities keeps them.
    package func dynamicMembers(of node: JSONNode) throws(JSONError) -> [EdmComplexValue.Member] {
        var members: [EdmComplexValue.Member] = []
        for member in node.members ?? [] where !member.name.contains("@") {
            members.append(
                .init(name: member.name, value: try dynamicValue(of: member, in: node, name: member.name)))
        }
        return members
    }

    /// A value as JSON shows it. Integers that fit are kept as such, other numbers as doubles if those have the same
    /// digits.
    func untyped(_ node: JSONNode, name: String) throws(JSONError) -> EdmValue {
        switch node.content {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .string(let text): return .string(text)
        case .number(let digits): return try number(digits, node: node)
        case .array(let elements):
            var values: [EdmValue] = []
            for element in elements { values.append(try untyped(element, name: name)) }
            return .collection(values)
        case .object(let members):
            if let annotation = node.control("type")?.string,
                case .complex(let type) = EdmTypeReference(annotation: annotation, model: model)
            {
                guard case .complex(var value) = try value(node, type: .complex(type), name: name) else { break }
                value.type = value.type ?? type
                return .complex(value)
            }
            var value = EdmComplexValue()
            for member in members where !member.name.contains("@") {
                value[member.name] = try dynamicValue(of: member, in: node, name: "\(name)/\(member.name)")
            }
            return .complex(value)
        }
        return .null
    }

    private func number(_ digits: String, node: JSONNode) throws(JSONError) -> EdmValue {
        if let integer = Int64(digits) { return .integer(integer) }
        let decimal = EdmDecimal(digits)
        if let double = Double(digits: digits), decimal == nil || EdmDecimal(double) == decimal {
            return .double(double)
        }
        guard let decimal else { throw JSONError("\(digits.prefix(40)) is out of range.", offset: node.offset) }
        return .decimal(decimal)
    }
}
