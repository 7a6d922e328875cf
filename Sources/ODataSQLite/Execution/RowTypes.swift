import GRDB
import GRDBSQLite
import ODataModel

/// The slots and children that a row of each type has.
struct RowTypes: Sendable {
    /// The name of each type of the shape.
    private let names: [[UInt8]]
    /// The type of rows without a type name.
    private let usual: UInt16
    /// For each type, the slots of properties that it does not have.
    let absentSlots: [[Int]]
    /// For each type, its children, as in ``RowHeader/presentChildren``.
    let presentChildren: [UInt64]

    init(shape: RowShape, type: EdmStructuredType) {
        names = shape.types.map { Array("\($0.name)".utf8) }
        usual = UInt16(clamping: shape.types.firstIndex { $0.name == type.name } ?? 0)
        absentSlots = shape.types.map { Self.absent(from: $0, in: shape) }
        presentChildren = shape.types.map { Self.children(of: $0, in: shape) }
    }

    /// Slots whose property only other types have.
    private static func absent(from type: EdmStructuredType, in shape: RowShape) -> [Int] {
        guard shape.types.count > 1 else { return [] }
        return shape.properties.indices.filter { slot in
            let property = shape.properties[slot]
            let isOwn = type.property(named: property.name)?.type == property.type
            return !isOwn && shape.types.contains { $0.property(named: property.name) != nil }
        }
    }

    private static func children(of type: EdmStructuredType, in shape: RowShape) -> UInt64 {
        var present: UInt64 = 0
        for (position, child) in shape.children.enumerated() {
            let name = child.navigation.name
            let isOwn = type.navigationProperty(named: name) != nil
            let isAnothers = shape.types.contains { $0.navigationProperty(named: name) != nil }
            guard child.cast.map(type.isKind) ?? true else { continue }
            if isOwn || !isAnothers { present |= 1 << UInt64(min(position, 63)) }
        }
        return present
    }

    /// The position of the type that a row names in `column`.
    func position(_ statement: SQLiteStatement, _ column: Int?) -> UInt16 {
        guard let column, sqlite3_column_type(statement, CInt(column)) == SQLITE_TEXT else { return usual }
        let name = statement.text(at: CInt(column))
        return names.firstIndex { $0.elementsEqual(name) }.map { UInt16(clamping: $0) } ?? usual
    }
}
