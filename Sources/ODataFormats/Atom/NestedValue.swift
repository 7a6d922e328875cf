import ODataModel

/// Makes V4 JSON of a complex value, a collection or a dynamic property while its elements come.
///
/// ```xml
/// <d:Address m:type="Shop.Address"><d:City>Oslo</d:City></d:Address>
/// <d:Tags m:type="Collection(Edm.String)"><d:element>a</d:element></d:Tags>
/// ```
struct NestedValue {
    private enum Content {
        /// Text so far: elements may still come if nothing tells the type.
        case undetermined
        case primitive(TypeReference)
        case complex(StructuredType?)
        case collection(TypeReference?)
        case null
    }

    private struct Level {
        var name: String
        var content: Content
        /// What its value is to be of; nil where nothing tells it.
        var type: TypeReference?
        var isEmpty = true
    }

    /// What is not a value of its type.
    struct Fault {
        /// From the property on: `Address/Zip`.
        var path: String
        var type: TypeReference
        var text: String
    }

    private var levels: [Level] = []
    private var text: [UInt8] = []
    private var json: [UInt8] = []
    /// The name of a dynamic property.
    private(set) var rootName: String?
    /// The first value that does not fit.
    private(set) var fault: Fault?
    /// What is passed over, for the one who reads.
    private(set) var oddities: [String] = []

    var size: Int { text.count + json.count }

    /// - Parameters:
    ///   - type: What the property is declared as.
    ///   - actual: What the payload says it is.
    ///   - property: The name of the property.
    ///   - isDynamic: Whether the type does not declare it.
    mutating func begin(
        type: TypeReference?, actual: TypeReference?, property: String, isDynamic: Bool, isNull: Bool
    ) {
        self = NestedValue()
        rootName = isDynamic ? property : nil
        levels.append(Level(name: property, content: isNull ? .null : .undetermined, type: type ?? actual))
        declared = (type, actual)
    }

    private var declared: (type: TypeReference?, actual: TypeReference?) = (nil, nil)

    /// The type of the root is looked up when the first element or the end comes, as only then the model is at hand.
    private mutating func determineRoot(_ model: Model) {
        guard levels.count == 1, case .undetermined = levels[0].content else { return }
        guard let content = Self.content(of: declared.type, actual: declared.actual, model: model) else { return }
        declared = (nil, nil)
        levels[0].content = content
        open(content)
        if case .primitive = content { return }
        strayText(text)
        text = []
    }

    private static func content(of type: TypeReference?, actual: TypeReference?, model: Model) -> Content? {
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
    /// - Returns: Whether it is taken; if not, all of it is to be passed over.
    mutating func start(_ name: String, told: TypeReference?, isNull: Bool, model: Model) -> Bool {
        determineRoot(model)
        guard let parent = levels.indices.last else { return false }
        if case .undetermined = levels[parent].content {
            levels[parent].content = .complex(nil)
            open(.complex(nil))
            strayText(text)
        }
        var type: TypeReference?
        switch levels[parent].content {
        case .complex(let structured):
            type = structured?.property(named: name)?.type
            if let structured, type == nil, !structured.isOpen {
                note("\(name) is not a property of \(structured.name)")
                return false
            }
            separate(parent)
            JSONText.append(quoted: name, to: &json)
            json.append(UInt8(ascii: ":"))
        case .collection(let element):
            separate(parent)
            type = element
        case .undetermined, .primitive, .null:
            refuse(name, model: model)
            return false
        }
        text = []
        let content = isNull ? .null : Self.content(of: type, actual: told, model: model) ?? .undetermined
        levels.append(Level(name: name, content: content, type: type ?? told))
        open(content)
        return true
    }

    /// An element that has no place in the value.
    mutating func refuse(_ name: String, model: Model) {
        determineRoot(model)
        switch levels.last?.content {
        case .primitive: fail(text: "<\(name)>")
        case .null: note("\(path) is null, but a value stands there")
        default: note("<\(name)> stands in \(path)")
        }
    }

    /// Whether the innermost element is a geography or geometry value.
    var isGeography: Bool {
        guard let level = levels.last, case .primitive(let type)? = level.type else { return false }
        if case .null = level.content { return false }
        return type.isGeospatial
    }

    private var path: String { levels.map(\.name).joined(separator: "/") }

    private mutating func fail(text: String) {
        guard fault == nil, let type = levels.last?.type else { return }
        fault = Fault(path: path, type: type, text: text)
    }

    private mutating func note(_ message: String) { oddities.append(message + ": it is passed over.") }

    /// Text where elements are expected, or nothing at all.
    private mutating func strayText(_ bytes: some Collection<UInt8>) {
        guard bytes.contains(where: { $0 > 0x20 }), let level = levels.last else { return }
        if case .null = level.content { return note("\(path) is null, but a value stands there") }
        guard level.type == nil else { return fail(text: AtomPayload.trimmed(String(decoding: bytes, as: UTF8.self))) }
        note("Text stands between the parts of \(path)")
    }

    private mutating func separate(_ level: Int) {
        if !levels[level].isEmpty { json.append(UInt8(ascii: ",")) }
        levels[level].isEmpty = false
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch levels.last?.content {
        case .undetermined, .primitive: text.append(contentsOf: bytes)
        default: strayText(bytes)
        }
    }

    /// The end of the innermost element.
    ///
    /// - Parameter geography: GeoJSON of what stood in it, empty where that cannot be read; nil if nothing did.
    mutating func end(model: Model, geography: String?) {
        determineRoot(model)
        guard let level = levels.last else { return }
        switch level.content {
        case .complex: json.append(UInt8(ascii: "}"))
        case .collection: json.append(UInt8(ascii: "]"))
        case .null: json.append(contentsOf: "null".utf8)
        case .undetermined: JSONText.append(quoted: String(decoding: text, as: UTF8.self), to: &json)
        case .primitive(let type):
            if let geography { append(geography: geography) } else { append(type) }
        }
        text = []
        levels.removeLast()
    }

    private mutating func append(geography: String) {
        if geography.isEmpty { fail(text: "the GML") }
        json.append(contentsOf: geography.utf8)
    }

    private mutating func append(_ type: TypeReference) {
        let text = String(decoding: self.text, as: UTF8.self)
        guard case .primitive(let primitive) = type else {
            JSONText.append(quoted: text, to: &json)
            return
        }
        if text.isEmpty, primitive != .string, primitive != .binary {
            json.append(contentsOf: "null".utf8)
            return
        }
        guard let value = V2Lexical.received(text, primitive) else {
            return fail(text: text)
        }
        value.appendJSON(to: &json)
    }

    mutating func takeJSON() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &json)
        return taken
    }
}
