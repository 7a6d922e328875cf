import ODataModel

extension CSDLJSONWriter {
    /// `"@Core.Description": "…"`, or of a member `"Name@Core.Description": "…"`.
    mutating func write(_ annotations: [EdmAnnotation], of member: String = "") {
        for annotation in annotations {
            let name = "\(member)@\(annotation.term)"
            if annotation.term.isEmpty || annotation.term.contains("@") || Self.controls.contains(annotation.term) {
                json.fail("The term “\(annotation.term)” means something else in JSON.")
            }
            write(hintOf: annotation.value, of: name)
            json.name(name)
            write(annotation.value)
            write(annotation.annotations, of: name)
        }
    }

    /// Control information, which is where annotations do.
    private static let controls: Set<String> = ["type", "odata.type"]

    /// `"Navigability@type": "#Org.OData.Capabilities.V1.NavigationType"`, where the value alone does not say.
    private mutating func write(hintOf value: EdmAnnotation.Value, of name: String) {
        if let hint = CSDLConstant.hint(value) {
            json.member("\(name)@type", "#\(hint)")
        } else if let hint = collectionHint(value) {
            json.member("\(name)@type", "#Collection(\(hint))")
        }
    }

    /// The hint that all elements of a collection share.
    private func collectionHint(_ value: EdmAnnotation.Value) -> String? {
        guard case .collection(let elements) = value, let first = elements.first,
            let hint = CSDLConstant.hint(first), elements.allSatisfy({ CSDLConstant.hint($0) == hint })
        else { return nil }
        return hint
    }

    /// - Parameter isHinted: Whether a name before the value gives its type.
    private mutating func write(_ value: EdmAnnotation.Value, isHinted: Bool = true) {
        if !isHinted, let hint = CSDLConstant.hint(value) {
            let isPrimitive = !hint.contains(".")
            return object { writer in
                writer.json.name("$Cast")
                writer.write(value)
                writer.json.member("$Type", isPrimitive ? "Edm.\(hint)" : hint)
            }
        }
        switch value {
        case .null: json.literal("null")
        case .bool(let flag): json.literal(flag ? "true" : "false")
        case .int(let number): json.literal("\(number)")
        case .path(.value, let path): object { $0.json.member("$Path", path) }
        case .string, .constant, .enumMember, .path: write(constant: value)
        case .collection(let elements):
            let isHinted = isHinted && collectionHint(value) != nil
            array(elements) { $0.write($1, isHinted: isHinted) }
        case .record(let record): write(record)
        case .expression(let expression): write(expression)
        }
    }

    private mutating func write(constant value: EdmAnnotation.Value) {
        guard let (text, isQuoted) = CSDLConstant.text(value) else { return json.literal("null") }
        if isQuoted { json.string(text) } else { json.literal(text) }
    }

    private mutating func write(_ record: EdmAnnotation.Record) {
        object { writer in
            if let type = record.type { writer.json.member("@type", "\(writer.url(of: type.namespace))#\(type)") }
            for member in record.members {
                writer.write(hintOf: member.value, of: member.name)
                writer.json.declared(name: member.name)
                writer.write(member.value)
                writer.write(member.annotations, of: member.name)
            }
            writer.write(record.annotations)
        }
    }

    /// The URL of the document that includes `namespace`; empty for this document.
    private func url(of namespace: String) -> String {
        if let reference = model.references.first(where: { $0.includes.contains { $0.namespace == namespace } }) {
            return reference.url
        }
        return ""
    }

    private mutating func write(_ expression: EdmAnnotation.Expression) {
        if let reason = expression.misplaced { json.fail(reason) }
        object { writer in
            let name = "$\(expression.kind.rawValue)"
            switch expression.kind {
            case .labeledElementReference: writer.json.member(name, expression.name ?? "")
            case .null:
                writer.json.name(name)
                writer.json.literal("null")
            case let kind where kind.isUnary:
                writer.write(operand: expression, name)
                if let attribute = kind.nameAttribute { writer.json.member("$\(attribute)", expression.name) }
            default:
                writer.json.member("$Function", expression.name)
                writer.write(operands: expression, name)
            }
            if let type = expression.type {
                let element = CSDLNames.element(of: type)
                if element != nil { writer.json.member("$Collection", true) }
                writer.json.member("$Type", element ?? type)
                writer.write(expression.facets)
            }
            writer.write(expression.annotations)
        }
    }

    /// The one operand, which is where others have an array.
    private mutating func write(operand expression: EdmAnnotation.Expression, _ name: String) {
        if expression.operands.count != 1 {
            json.fail("\(name) has \(expression.operands.count) operands, and JSON has a place for one.")
        }
        json.name(name)
        write(expression.operands.first ?? .null, isHinted: false)
    }

    private mutating func write(operands expression: EdmAnnotation.Expression, _ name: String) {
        json.name(name)
        array(expression.operands) { $0.write($1, isHinted: false) }
    }
}
