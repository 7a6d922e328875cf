import ODataMetadata
import ODataModel
import ODataQuery

/// Makes values and payloads out of small documents.
struct AtomTreeReader {
    let model: EdmModel
    /// Whether properties that a type does not have are errors; else they pass.
    var isStrict = false

    // MARK: Values

    func value(_ element: XMLTree, type: EdmTypeReference) throws(FormatError) -> EdmValue {
        if let null = element.metadata("null"), null == "true" || null == "1" {
            guard !isStrict || element.children.isEmpty && !element.hasText else {
                throw error("\(element.name) is null, but the payload has a value.", element)
            }
            return .null
        }
        switch type {
        case .collection(let item):
            try checkText(element, type: type)
            var values: [EdmValue] = []
            for child in element.children where child.isValue { values.append(try value(child, type: item)) }
            return .collection(values)
        case .complex(let name), .entity(let name):
            try checkText(element, type: type)
            return .complex(try complex(element, type: name))
        case .enumeration(let name):
            guard element.children.isEmpty else { throw mismatch(element, type: type) }
            return .enumeration(name, AtomPayload.trimmed(element.text))
        case .primitive(let primitive):
            if primitive.isGeospatial { return try geography(element, type: type) }
            guard element.children.isEmpty else { throw mismatch(element, type: type) }
            if element.text.isEmpty, primitive != .string, primitive != .binary { return .null }
            let read = isStrict ? LegacyLexical.value : LegacyLexical.received
            guard let value = read(element.text, primitive) else { throw mismatch(element, type: type) }
            return value
        }
    }

    /// Text beside or in place of elements has no place in a value, nor in requests an element that is not a part of it.
    private func checkText(_ element: XMLTree, type: EdmTypeReference) throws(FormatError) {
        guard !element.hasText else { throw mismatch(element, type: type) }
        guard isStrict, let child = element.children.first(where: { !$0.isValue }) else { return }
        throw error("<\(child.name)> has no place in \(element.name).", child)
    }

    private func complex(_ element: XMLTree, type: EdmQualifiedName) throws(FormatError) -> EdmComplexValue {
        let declared = model.structuredType(named: type)
        let told = element.metadata("type").flatMap { model.structuredType(named: EdmQualifiedName($0)) }
        let derived = told.flatMap { told in declared.map(told.isKind) ?? true ? told : nil }
        let structured = derived ?? declared
        var value = EdmComplexValue([], type: derived.flatMap { $0.name == type ? nil : $0.name })
        for child in element.children where child.isValue {
            if let property = structured?.property(named: child.name) {
                value[child.name] = try self.value(child, type: property.type)
            } else if structured?.isOpen ?? true {
                value[child.name] = try untyped(child)
            } else if isStrict {
                throw error(
                    ValueProblem("\(element.name)/\(child.name)", ValueProblem.isNotDeclared(by: type)).message, child)
            }
        }
        return value
    }

    /// A value whose type only `m:type` declares.
    func untyped(_ element: XMLTree) throws(FormatError) -> EdmValue {
        if let text = element.metadata("type"), let type = LegacyTypeName.type(named: text, model: model) {
            return try value(element, type: type)
        }
        if let null = element.metadata("null"), null == "true" || null == "1" { return .null }
        guard element.children.contains(where: \.isValue) else { return .string(element.text) }
        var value = EdmComplexValue()
        for child in element.children where child.isValue { value[child.name] = try untyped(child) }
        return .complex(value)
    }

    private func geography(_ element: XMLTree, type: EdmTypeReference) throws(FormatError) -> EdmValue {
        var builder = GeographyBuilder()
        guard let geometry = element.children.first else { throw mismatch(element, type: type) }
        builder.add(geometry)
        guard let json = builder.geoJSON else { throw mismatch(element, type: type) }
        return .geo(json)
    }

    private func mismatch(_ element: XMLTree, type: EdmTypeReference) -> FormatError {
        let found = element.children.first.map { "an element <\($0.name)>" } ?? "“\(element.text.prefix(100))”"
        let what = ValueProblem.takes(type, not: found)
        var error = error(ValueProblem(element.name, what).message, element)
        error.property = element.name
        return error
    }

    func error(_ message: String, _ element: XMLTree) -> FormatError {
        var error = FormatError(message)
        (error.line, error.column) = (element.line, element.column)
        return error
    }
}

extension XMLTree {
    /// An attribute of the metadata namespace.
    func metadata(_ name: String) -> String? {
        qualified.first { $0.name == name && AtomNamespace.isMetadata($0.namespace) }?.value
    }

    /// Whether this is a property or an element of a collection.
    var isValue: Bool { AtomNamespace.isData(namespace) || (name == "element" && AtomNamespace.isMetadata(namespace)) }

    /// Whether there is more between the tags than white space.
    var hasText: Bool { text.utf8.contains { $0 > 0x20 } }

    var isAtom: Bool { namespace == AtomNamespace.atom }
}

extension GeographyBuilder {
    /// Takes an element that was read already.
    mutating func add(_ element: XMLTree) {
        start(element.name, nil)
        Array(element.text.utf8).withUnsafeBufferPointer { text($0) }
        for child in element.children { add(child) }
        end()
    }
}
