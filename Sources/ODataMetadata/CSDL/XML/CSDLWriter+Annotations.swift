import ODataModel

extension CSDLWriter {
    /// - Parameter isInSchema: Whether the elements around are in the namespace of schemas already.
    mutating func write(_ annotations: [EdmAnnotation], isInSchema: Bool = true) {
        for annotation in annotations {
            let term = annotation.term
            let end = term.utf8.firstIndex(of: UInt8(ascii: "#")) ?? term.endIndex
            let attributes: Attributes = [
                ("xmlns", isInSchema ? nil : XMLTree.oasis + "edm"), ("Term", String(term[..<end])),
                ("Qualifier", end < term.endIndex ? String(term[term.utf8.index(after: end)...]) : nil),
            ]
            write("Annotation", attributes, value: annotation.value, annotations: annotation.annotations)
        }
    }

    /// Writes an element that holds `value` in an attribute where that is possible, else in a child.
    private mutating func write(
        _ name: String, _ attributes: Attributes, value: EdmAnnotation.Value, annotations: [EdmAnnotation]
    ) {
        let constant = Self.constant(value)
        element(name, attributes + (constant.map { [($0.name, $0.text)] } ?? [])) { writer in
            if constant == nil { writer.expression(value) }
            writer.write(annotations)
        }
    }

    /// The name and text of a value that fits an attribute.
    private static func constant(_ value: EdmAnnotation.Value) -> (name: String, text: String)? {
        switch value {
        case .bool(let flag): ("Bool", flag ? "true" : "false")
        case .int(let number): ("Int", "\(number)")
        case .string(let text): ("String", text)
        case .constant(let type, let text): (type == .double ? "Float" : type.rawValue, text)
        case .enumMember(let type, let members): ("EnumMember", members.map { "\(type)/\($0)" }.joined(separator: " "))
        case .path(let kind, let text): (kind.rawValue, text)
        case .null, .collection, .record, .expression: nil
        }
    }

    private mutating func expression(_ value: EdmAnnotation.Value) {
        switch value {
        case .null: element("Null")
        case .collection(let values): element("Collection") { $0.expressions(values) }
        case .record(let record):
            element("Record", [("Type", record.type?.description)]) { writer in
                for member in record.members {
                    writer.write(
                        "PropertyValue", [("Property", member.name)], value: member.value,
                        annotations: member.annotations)
                }
                writer.write(record.annotations)
            }
        case .expression(let expression): write(expression)
        default:
            if let (name, text) = Self.constant(value) { element(name, text: text) }
        }
    }

    private mutating func expressions(_ values: [EdmAnnotation.Value]) {
        for value in values { expression(value) }
    }

    private mutating func write(_ expression: EdmAnnotation.Expression) {
        if let reason = expression.misplaced { fail(reason) }
        switch expression.kind {
        case .labeledElementReference: element(expression.kind.rawValue, text: expression.name ?? "")
        default:
            let name = expression.kind.nameAttribute ?? "Name"
            let attributes: Attributes = [(name, expression.name), ("Type", expression.type)]
            element(expression.kind.rawValue, attributes + facets(expression.facets)) { writer in
                writer.expressions(expression.operands)
                writer.write(expression.annotations)
            }
        }
    }
}
