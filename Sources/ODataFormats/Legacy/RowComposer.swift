import ODataModel

/// Rows being put together from a payload whose order is its own.
struct RowComposer {
    var block = RowBlock()
    /// The last text that was not a value of its kind.
    var refused = ""
    /// What was noted of the payload, without the entities: each is reported once.
    var noted: [String] = []
    /// The most diagnostics of one payload.
    private static let maximumOfDiagnostics = 20

    /// Adds a row whose slots are absent.
    mutating func begin(slotCount: Int, depth: UInt8, child: Int) -> Int {
        var header = RowHeader()
        header.depth = depth
        header.child = Int16(truncatingIfNeeded: child)
        header.firstSlot = Int32(truncatingIfNeeded: block.slots.count)
        block.rows.append(header)
        for _ in 0..<slotCount { block.slots.append(.absent) }
        return block.rows.count - 1
    }

    mutating func set(_ slot: Int, of row: Int, to value: RowSlot) {
        block.slots[Int(block.rows[row].firstSlot) + slot] = value
    }

    func slot(_ slot: Int, of row: Int) -> RowSlot { block.slots[Int(block.rows[row].firstSlot) + slot] }

    /// Notes that the payload has the expanded navigation property, be it empty.
    mutating func markChild(_ child: Int, of row: Int) {
        block.rows[row].presentChildren |= 1 << UInt64(min(child, 63))
    }

    mutating func changeMedia(of row: Int, _ change: (inout RowMedia) -> Void) {
        if block.rows[row].media == 0 {
            block.media.append(RowMedia())
            block.rows[row].media = Int32(truncatingIfNeeded: block.media.count)
        }
        change(&block.media[Int(block.rows[row].media) - 1])
    }

    mutating func changeExpansion(of row: Int, child: Int, _ change: (inout RowExpansion) -> Void) {
        // Those of earlier rows stand before those of this one.
        for index in block.expansions.indices.reversed() {
            guard block.expansions[index].row >= row else { break }
            if block.expansions[index].row == row, block.expansions[index].child == child {
                return change(&block.expansions[index])
            }
        }
        var expansion = RowExpansion(row: row, child: child)
        change(&expansion)
        block.expansions.append(expansion)
    }

    /// Notes what is odd in an entity but keeps nothing from being read.
    ///
    /// - Parameters:
    ///   - eachTime: Whether it is reported for each entity.
    ///   - entity: As a path, `Products(1)`; evaluated for the first report.
    mutating func note(_ message: String, row: Int, eachTime: Bool = false, entity: (RowComposer) -> String?) {
        guard noted.count < Self.maximumOfDiagnostics, eachTime || !noted.contains(message) else { return }
        let text = entity(self).map { "\($0): \(message)" } ?? message
        noted.append(eachTime ? text : message)
        block.diagnostics.append(RowDiagnostic(text, row: row))
    }

    /// The entity at `row` as a path by its key, as far as it is known, or else its id: `Products(1)`.
    func entity(at row: Int, shape: RowShape) -> String? {
        guard block.rows.indices.contains(row) else { return nil }
        if let key = block.key(row: row, shape: shape) { return shape.path(of: key) }
        return block.text(block.rows[row].id)
    }

    /// How much there is of everything.
    struct Mark {
        fileprivate var buffer, slots, media, expansions, diagnostics, noted: Int
        fileprivate(set) var rows: Int
    }

    var mark: Mark {
        Mark(
            buffer: block.buffer.count, slots: block.slots.count, media: block.media.count,
            expansions: block.expansions.count, diagnostics: block.diagnostics.count, noted: noted.count,
            rows: block.rows.count)
    }

    /// Removes everything after `mark`.
    mutating func rollBack(to mark: Mark) {
        block.buffer.removeLast(block.buffer.count - mark.buffer)
        block.slots.removeLast(block.slots.count - mark.slots)
        block.media.removeLast(block.media.count - mark.media)
        block.expansions.removeLast(block.expansions.count - mark.expansions)
        block.diagnostics.removeLast(block.diagnostics.count - mark.diagnostics)
        noted.removeLast(noted.count - mark.noted)
        block.rows.removeLast(block.rows.count - mark.rows)
    }

    /// Puts what the entity at `row` expands, the last in the block, into the order of its shape's children.
    mutating func sortChildren(of row: Int) {
        let depth = block.rows[row].depth
        var groups: [(child: Int16, rows: [Int])] = []
        for index in block.rows.indices.dropFirst(row + 1) {
            if groups.isEmpty || block.rows[index].depth == depth + 1 {
                groups.append((block.rows[index].child, [index]))
            } else {
                groups[groups.count - 1].rows.append(index)
            }
        }
        guard groups.count > 1 else { return }
        let order = groups.enumerated().sorted { ($0.element.child, $0.offset) < ($1.element.child, $1.offset) }
            .flatMap(\.element.rows)
        var positions: [Int: Int] = [:]
        for (position, old) in order.enumerated() { positions[old] = row + 1 + position }
        block.rows.replaceSubrange((row + 1)..., with: order.map { block.rows[$0] })
        for index in block.expansions.indices where block.expansions[index].row > row {
            block.expansions[index].row = positions[block.expansions[index].row] ?? row
        }
    }
}

// MARK: Type casts

extension RowComposer {
    /// Which of the children with the name of `child` the entity at `row` has, as far as its type is known.
    func child(_ child: Int, of row: Int, shape: RowShape) -> Int {
        shape.child(child, as: shape.type(of: block.rows[row])) ?? child
    }

    /// Sets the type of an entity, of which some of what it expands may have been read already.
    ///
    /// - Returns: The child that was read as that of another type, and has rows of another kind; nil if all is well.
    mutating func setType(_ type: UInt16, of row: Int, shape: RowShape) -> RowShape.Child? {
        block.rows[row].type = type
        let present = block.rows[row].presentChildren
        guard shape.hasCasts, present != 0 else { return nil }
        var moved: [Int: Int] = [:]
        for index in shape.children.indices.prefix(64) where present & (1 << UInt64(index)) != 0 {
            let own = child(index, of: row, shape: shape)
            guard own != index else { continue }
            guard shape.children[own].hasSameRows(as: shape.children[index]) else { return shape.children[own] }
            moved[index] = own
        }
        if !moved.isEmpty { move(moved, of: row) }
        return nil
    }

    /// What is wrong where ``setType(_:of:shape:)`` gives a child.
    static func lateType(_ navigation: String) -> String {
        "\(navigation) comes before the type of its entity, and for that type something else was asked of it."
    }

    private mutating func move(_ children: [Int: Int], of row: Int) {
        for (old, new) in children {
            block.rows[row].presentChildren &= ~(1 << UInt64(old))
            markChild(new, of: row)
        }
        let depth = block.rows[row].depth + 1
        for index in block.rows.indices.dropFirst(row + 1) where block.rows[index].depth == depth {
            if let new = children[Int(block.rows[index].child)] {
                block.rows[index].child = Int16(truncatingIfNeeded: new)
            }
        }
        for index in block.expansions.indices where block.expansions[index].row == row {
            if let new = children[block.expansions[index].child] { block.expansions[index].child = new }
        }
    }
}

extension RowShape.Child {
    /// Whether rows that were read for one of the two are as those for the other.
    fileprivate func hasSameRows(as other: RowShape.Child) -> Bool {
        navigation.isCollection == other.navigation.isCollection && shape.type == other.shape.type
            && shape.types == other.shape.types && shape.properties == other.shape.properties
            && shape.children.count == other.shape.children.count
            && zip(shape.children, other.shape.children).allSatisfy {
                $0.navigation.name == $1.navigation.name && $0.cast == $1.cast && $0.hasSameRows(as: $1)
            }
    }
}
