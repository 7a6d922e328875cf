import ODataMetadata
import ODataModel

/// Makes V4 JSON of a complex value, a collection or a dynamic property while its elements come.
///
/// ```xml
/// <d:Address m:type="Shop.Address"><d:City>Oslo</d:City></d:Address>
/// <d:Tags m:type="Collection(Edm.String)"><d:element>a</d:element></d:Tags>
/// ```
struct NestedValue {
    private enum Content {
        /// Text so far: elements may still come if nothing indicates the type.
        case undetermined
        case primitive(EdmTypeReference)
        case complex(EdmStructuredType?)
        case collection(EdmTypeReference?)
        case null
    }

    private struct Level {
        var name: String
        var content: Content
        var isEmpty = true
    }

    private var levels: [Level] = []
    private var text: [UInt8] = []
    private var json: [UInt8] = []
    /// The name of a dynamic property.
    private(set) var rootName: String?

    var size: Int { text.count + json.count }

    /// - Parameters:
    ///   - type: What the property is declared as.
    ///   - actual: What the payload says it is.
    ///   - isDynamic: Whether the name is read with the value.
    mutating func begin(
        type: EdmTypeReference?, actual: EdmTypeReference?, name: String, isDynamic: Bool, isNull: Bool
    ) {
        self = NestedValue()
        rootName = isDynamic ? name : nil
        levels.append(Level(name: name, content: isNull ? .null : .undetermined))
        declared = (type, actual)
    }

    private var declared: (type: EdmTypeReference?, actual: EdmTypeReference?) = (nil, nil)

    /// The type of the root is looked up at the first element or the end, since the model is available only then.
    private mutating func determineRoot(_ model: EdmModel) {
        guard levels.count == 1, case .undetermined = levels[0].content else { return }
        guard let content = Self.content(of: declared.type, actual: declared.actual, model: model) else { return }
        declared = (nil, nil)
        levels[0].content = content
        open(content)
    }

    private static func content(of type: EdmTypeReference?, actual: EdmTypeReference?, model: EdmModel) -> Content? {
        switch type ?? actual {
        case nil: return nil
        case .collection(let element): return .collection(element)
        case .complex(let name), .entity(let name):
            let structured = model.structuredType(named: name)
            if case .complex(let other)? = actual, let derived = model.structuredType(named: other),
                structured.map({ derived.isKind(of: $0) }) ?? true
            {
                return .complex(derived)
            }
            return .complex(structured)
        case .some(let primitive): return .primitive(primitive)
        }
    }

    private mutating func open(_ content: Content) {
        switch content {
        case .complex: json.append(UInt8(ascii: "{"))
        case .collection: json.append(UInt8(ascii: "["))
        case .undetermined, .primitive, .null: break
        }
    }

    /// An element inside the value.
    ///
    /// - Throws: ``FormatError`` where a primitive value or null is, or text before it.
    mutating func start(_ name: String, told: EdmTypeReference?, isNull: Bool, model: EdmModel) throws(FormatError) {
        determineRoot(model)
        guard let parent = levels.indices.last else { return }
        try check(text.contains { $0 > 0x20 }, "text before elements")
        switch levels[parent].content {
        case .primitive, .null: try check(true, "the element \(name)")
        case .undetermined, .complex, .collection: break
        }
        if case .undetermined = levels[parent].content {
            levels[parent].content = .complex(nil)
            open(.complex(nil))
        }
        var type: EdmTypeReference?
        switch levels[parent].content {
        case .complex(let structured):
            separate(parent)
            JSONText.append(quoted: name, to: &json)
            json.append(UInt8(ascii: ":"))
            type = structured?.property(named: name)?.type
        case .collection(let element):
            separate(parent)
            type = element
        case .undetermined, .primitive, .null: break
        }
        text = []
        let content = isNull ? .null : Self.content(of: type, actual: told, model: model) ?? .undetermined
        levels.append(Level(name: name, content: content))
        open(content)
    }

    private mutating func separate(_ level: Int) {
        if !levels[level].isEmpty { json.append(UInt8(ascii: ",")) }
        levels[level].isEmpty = false
    }

    /// Text inside the value.
    ///
    /// - Throws: ``FormatError`` for other text than white space where a complex value, a collection or null is.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, model: EdmModel) throws(FormatError) {
        determineRoot(model)
        switch levels.last?.content {
        case .undetermined, .primitive: text.append(contentsOf: bytes)
        case .complex, .collection, .null:
            try check(
                bytes.contains { $0 > 0x20 }, "“\(String(decoding: bytes.prefix(40), as: UTF8.self).trimmed)”")
        case nil: break
        }
    }

    private func check(_ isOdd: Bool, _ found: String) throws(FormatError) {
        guard isOdd, let level = levels.last else { return }
        let type =
            switch level.content {
            case .undetermined: "is not of a declared type"
            case .primitive(let type): "is of type \(type)"
            case .complex(let type): "is of the complex type \(type.map { "\($0.name)" } ?? "that its elements report")"
            case .collection(let type): "is a collection\(type.map { " of \($0)" } ?? "")"
            case .null: "is null"
            }
        let name = level.name.isEmpty ? "A value" : level.name
        throw FormatError("\(name) \(type), but the payload has \(found).", property: level.name)
    }

    /// The end of the innermost element.
    mutating func end(model: EdmModel) throws(FormatError) {
        determineRoot(model)
        guard let level = levels.popLast() else { return }
        switch level.content {
        case .complex: json.append(UInt8(ascii: "}"))
        case .collection: json.append(UInt8(ascii: "]"))
        case .null: json.append(contentsOf: "null".utf8)
        case .undetermined: JSONText.append(quoted: String(decoding: text, as: UTF8.self), to: &json)
        case .primitive(let type): try append(type, name: level.name)
        }
        text = []
    }

    private mutating func append(_ type: EdmTypeReference, name: String) throws(FormatError) {
        let text = String(decoding: self.text, as: UTF8.self)
        guard case .primitive(let primitive) = type else {
            JSONText.append(quoted: text, to: &json)
            return
        }
        if text.isEmpty, primitive != .string, primitive != .binary {
            json.append(contentsOf: "null".utf8)
            return
        }
        guard let value = LegacyLexical.received(text, primitive) else {
            throw FormatError(
                "\(name) is of type \(type), which “\(text.prefix(40))” is not a value of.", property: name)
        }
        value.appendJSON(to: &json)
    }

    mutating func takeJSON() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &json)
        return taken
    }
}
