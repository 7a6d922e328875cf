import ODataModel

/// One of the shapes that a reader meets, with what it needs to know of it.
struct ShapeLevel: Sendable {
    let shape: RowShape
    let slotCount: Int
    /// For each child its position among the levels.
    private(set) var children: [Int] = []
    let kinds: [SlotKind]
    let streams: Set<String>
    /// Positions in ``RowShape/types`` by name.
    let types: [String: UInt16]

    /// `shape` and all that it expands; the first is `shape` itself.
    static func levels(of shape: RowShape) -> [ShapeLevel] {
        var levels: [ShapeLevel] = []
        _ = appendLevel(of: shape, to: &levels)
        return levels
    }

    private static func appendLevel(of shape: RowShape, to levels: inout [ShapeLevel]) -> Int {
        let position = levels.count
        levels.append(ShapeLevel(shape))
        for child in shape.children {
            let inner = appendLevel(of: child.shape, to: &levels)
            levels[position].children.append(inner)
        }
        return position
    }

    private init(_ shape: RowShape) {
        self.shape = shape
        slotCount = shape.properties.count
        kinds = shape.properties.map { SlotKind($0.type) }
        streams = Set(shape.types.flatMap { $0.properties.filter(\.isStream).map(\.name) })
        types = Dictionary(shape.types.enumerated().map { ("\($1.name)", UInt16(clamping: $0)) }) { first, _ in first }
    }
}

/// How the text of a property's value is read.
enum SlotKind: Hashable, Sendable {
    case string
    case boolean
    case integer(ClosedRange<Int64>)
    case double
    case decimal
    case guid
    case dateTimeOffset
    /// Primitive types that are read the slow way.
    case other(EdmPrimitiveType)
    case enumeration
    case binary
    case geo
    /// Complex values, collections and what the model knows no type of.
    case nested

    init(_ type: EdmTypeReference) {
        switch type {
        case .complex, .entity, .collection: self = .nested
        case .enumeration: self = .enumeration
        case .primitive(let primitive): self = SlotKind(primitive)
        }
    }

    private init(_ primitive: EdmPrimitiveType) {
        if let range = primitive.integerRange {
            self = .integer(range)
            return
        }
        switch primitive {
        case .string, .stream: self = .string
        case .boolean: self = .boolean
        case .double, .single: self = .double
        case .decimal: self = .decimal
        case .guid: self = .guid
        case .dateTimeOffset: self = .dateTimeOffset
        case .binary: self = .binary
        case .untyped, .primitiveType: self = .nested
        default: self = primitive.isGeospatial ? .geo : .other(primitive)
        }
    }
}
