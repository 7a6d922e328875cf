import ODataModel

extension CSDLReader {
    /// The annotations inside `element`, and those that V1–V3 have in attributes.
    ///
    /// - Parameter qualifier: Of `<Annotations>`, for all inside.
    mutating func annotations(of element: XMLTree, qualifier: String? = nil) -> [EdmAnnotation] {
        var annotations = AnnotationList()
        for child in element.children {
            switch child.name {
            case "Annotation", "ValueAnnotation", "TypeAnnotation":
                guard hasName(child, "Term") else { continue }
                let annotation = annotation(child, qualifier: qualifier)
                if !annotations.add(annotation) { note("\(annotation.term) is applied twice.", at: child) }
            case "Documentation":
                for annotation in Self.documentation(child) where !annotations.add(annotation) {
                    note("\(annotation.term) is applied twice.", at: child)
                }
            default: break
            }
        }
        if !element.qualified.isEmpty || element["ConcurrencyMode"] != nil {
            let legacy = legacyAnnotations(of: element)
            if annotations.all.isEmpty { return legacy }
            for annotation in legacy { _ = annotations.add(annotation) }
        }
        return annotations.all
    }

    private static let termAttributes: Set<String> = ["Term", "Qualifier"]

    /// `<Annotation Term="Core.Description" Qualifier="Short" String="…"/>`
    private mutating func annotation(_ element: XMLTree, qualifier: String?) -> EdmAnnotation {
        var term = names.path(name(of: element, "Term"))
        if let qualifier = element["Qualifier"] ?? qualifier, !term.contains("#") { term += "#\(qualifier)" }
        let value =
            element.name == "TypeAnnotation"
            ? record(element) : value(of: element, besides: Self.termAttributes) ?? .bool(true)
        return EdmAnnotation(term: term, value: value, annotations: annotations(of: element))
    }

    /// `<Documentation><Summary>…</Summary><LongDescription>…</LongDescription></Documentation>`
    private static func documentation(_ element: XMLTree) -> [EdmAnnotation] {
        element.children.compactMap { child in
            let text = child.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !text.isEmpty else { return nil }
            switch child.name {
            case "Summary": return EdmAnnotation(term: EdmAnnotation.coreDescription, value: .string(text))
            case "LongDescription": return EdmAnnotation(term: EdmAnnotation.longDescription, value: .string(text))
            default: return nil
            }
        }
    }

    /// The value that an element holds in an attribute or a child element.
    ///
    /// - Parameter attributes: Those that the element may have besides.
    private mutating func value(of element: XMLTree, besides attributes: Set<String>) -> EdmAnnotation.Value? {
        let values = values(of: element, besides: attributes)
        if values.count > 1 { note("\(element.name) has more than one value: the first is read.", at: element) }
        return values.first
    }

    /// The value of a constant or path, in an attribute or element called `name`; nil if that is something else.
    mutating func constant(_ name: String, _ text: String, at element: XMLTree) -> EdmAnnotation.Value? {
        switch name {
        case "String": return .string(text)
        case "Bool":
            if let value = ["true": true, "1": true, "false": false, "0": false][text.trimmed.lowercased()] {
                return .bool(value)
            }
        case "Int":
            if let value = Int64(text.trimmed) { return .int(value) }
        case "EnumMember": if let value = enumMember(text) { return value }
        case "UrlRef": return .expression(.init(.urlRef, [.string(text)]))
        default:
            if let kind = EdmAnnotation.PathKind(rawValue: name) { return .path(kind, names.path(text.trimmed)) }
            guard let type = Self.constantTypes[name] else { return nil }
            return .constant(type, text.trimmed)
        }
        note("“\(text)” is not a value for \(name).", at: element)
        return .string(text)
    }

    /// `Model.Color/Red Model.Color/Blue`; nil for members of two enumerations. Members without an enumeration stay text.
    private func enumMember(_ text: String) -> EdmAnnotation.Value? {
        var type: EdmQualifiedName?
        var members: [String] = []
        for part in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            let segments = part.split(separator: "/", maxSplits: 1).map(String.init)
            guard let member = segments.last else { continue }
            if segments.count == 2, let first = segments.first {
                guard type == nil || type == names.qualified(first) else { return nil }
                type = names.qualified(first)
            }
            members.append(member)
        }
        return type.map { .enumMember($0, members) } ?? .string(text)
    }

    /// `<Record>`, or a `<TypeAnnotation>` of V3.
    mutating func record(_ element: XMLTree) -> EdmAnnotation.Value {
        let isAnnotation = element.name == "TypeAnnotation"
        checkParts(of: element, attributes: isAnnotation ? Self.termAttributes.union(["Type"]) : ["Type"])
        var record = EdmAnnotation.Record(
            type: element["Type"].map(names.qualified), members: [], annotations: annotations(of: element))
        for child in element.children {
            if child.name == "PropertyValue" {
                let name = name(of: child, "Property")
                guard !name.isEmpty else { continue }
                guard record[name] == nil else {
                    note("The record has \(name) twice.", at: child)
                    continue
                }
                record.members.append(
                    .init(
                        name: name, value: value(of: child, besides: ["Property"]) ?? .bool(true),
                        annotations: annotations(of: child)))
            } else if !child.isAnnotation {
                unexpected(child, in: "a record")
            }
        }
        return .record(record)
    }

    private static let constantTypes: [String: EdmPrimitiveType] = [
        "Binary": .binary, "Date": .date, "DateTimeOffset": .dateTimeOffset, "DateTime": .dateTimeOffset,
        "Decimal": .decimal, "Duration": .duration, "Float": .double, "Guid": .guid, "TimeOfDay": .timeOfDay,
        "Time": .timeOfDay,
    ]
}

/// The annotations of one element, each term and qualifier once.
private struct AnnotationList {
    private(set) var all: [EdmAnnotation] = []
    /// Filled once there are many.
    private var terms: Set<String> = []

    /// Whether the term and qualifier are new.
    mutating func add(_ annotation: EdmAnnotation) -> Bool {
        if all.count < 16 {
            guard !all.contains(where: { $0.term == annotation.term }) else { return false }
        } else {
            if terms.isEmpty { terms = Set(all.map(\.term)) }
            guard terms.insert(annotation.term).inserted else { return false }
        }
        all.append(annotation)
        return true
    }
}

extension String {
    package var trimmed: String {
        guard let first = utf8.first, let last = utf8.last, first <= 0x20 || last <= 0x20 else { return self }
        return String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
