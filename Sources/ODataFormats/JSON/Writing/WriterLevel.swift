import ODataModel

/// What is the same for all entities of a shape, made once: the names as JSON text.
struct WriterLevel: Sendable {
    /// How a slot's value is written. Nothing in it is counted, so that it can be copied for each value.
    struct Column: Sendable {
        /// In ``WriterLevel/names``: `"Name":`, after a type annotation where full metadata is asked for.
        var nameStart: Int
        var nameEnd: Int
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
    var columns: [Column] = []
    var names: [UInt8] = []
    var children: [Child]
    /// `"@odata.type":"#Model.Product"`, with full metadata.
    var type: [UInt8]?
    var isReference: Bool
    /// Navigation properties that are not expanded, with full metadata.
    var links: [String]

    init(shape: RowShape, options: JSONWriterOptions, isReference: Bool = false) {
        self.shape = shape
        self.isReference = isReference
        (children, links) = ([], [])
        let isFull = options.metadata == .full
        for property in shape.properties[..<shape.hiddenFrom] {
            let start = names.count
            if isFull, let type = Self.typeName(of: property.type) {
                JSONText.append(quoted: property.name + "@odata.type", to: &names)
                names.append(UInt8(ascii: ":"))
                JSONText.append(quoted: type, to: &names)
                names.append(UInt8(ascii: ","))
            }
            JSONText.append(quoted: property.name, to: &names)
            names.append(UInt8(ascii: ":"))
            let isDecimal = property.type == .decimal
            columns.append(
                Column(
                    nameStart: start, nameEnd: names.count,
                    isQuoted: options.ieee754Compatible && (isDecimal || property.type == .int64),
                    isDecimal: isDecimal))
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
