import ODataModel

/// What is the same for all entities of a shape, made once: the names as JSON text.
struct WriterLevel: Sendable {
    /// How a slot's value is written.
    struct Column: Sendable {
        /// `"Name":`, after a type annotation where full metadata is asked for.
        var name: [UInt8]
        var type: TypeReference
        /// Whether numbers are written in quotes: Int64 and Decimal for IEEE754Compatible=true.
        var isQuoted: Bool
        var isDecimal: Bool
    }

    struct Child: Sendable {
        var name: String
        var isCollection: Bool
        var level: WriterLevel
    }

    var shape: RowShape
    var columns: [Column]
    var children: [Child]
    /// `"@odata.type":"#Model.Product"`, with full metadata.
    var type: [UInt8]?
    var isReference: Bool
    /// Navigation properties that are not expanded, with full metadata.
    var links: [String]

    init(shape: RowShape, options: JSONWriterOptions, isReference: Bool = false) {
        self.shape = shape
        self.isReference = isReference
        let isFull = options.metadata == .full
        columns = shape.properties[..<shape.hiddenFrom].map { property in
            var name: [UInt8] = []
            if isFull, let type = Self.typeName(of: property.type) {
                JSONText.append(quoted: property.name + "@odata.type", to: &name)
                name.append(UInt8(ascii: ":"))
                JSONText.append(quoted: type, to: &name)
                name.append(UInt8(ascii: ","))
            }
            JSONText.append(quoted: property.name, to: &name)
            name.append(UInt8(ascii: ":"))
            let isDecimal = property.type == .decimal
            return Column(
                name: name, type: property.type,
                isQuoted: options.ieee754Compatible && (isDecimal || property.type == .int64), isDecimal: isDecimal)
        }
        children = shape.children.map { child in
            Child(
                name: child.navigation.name, isCollection: child.navigation.isCollection,
                level: WriterLevel(shape: child.shape, options: options, isReference: child.isReference))
        }
        if isFull {
            var text: [UInt8] = Array(#""@odata.type":"#.utf8)
            JSONText.append(quoted: "#\(shape.type.name)", to: &text)
            type = text
        }
        let expanded = Set(children.map(\.name))
        links = isFull ? shape.type.navigationProperties.map(\.name).filter { !expanded.contains($0) } : []
    }

    /// `#Decimal`; nil for types that JSON shows by itself.
    private static func typeName(of type: TypeReference) -> String? {
        switch type {
        case .primitive(.string), .primitive(.boolean), .primitive(.double): nil
        case .primitive(let primitive): "#\(primitive.rawValue)"
        case .collection(.primitive(let primitive)): "#Collection(\(primitive.rawValue))"
        default: "#\(type)"
        }
    }
}
