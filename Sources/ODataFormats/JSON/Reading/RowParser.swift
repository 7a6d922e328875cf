import ODataMetadata
import ODataModel

/// Reads entities out of a buffer into rows.
///
/// Text stays where it is: slots point into the buffer. What is not there as such (strings with escapes, decoded
/// binary) is appended to ``extra``, which is appended to the buffer when the block is made.
struct RowParser {
    typealias Action = MemberTable.Action

    var cursor: ByteCursor
    var table: MemberTable
    var block: RowBlock
    var extra: [UInt8]
    /// The member that is being read, for messages.
    var entry: Int32 = 0
    /// The dynamic properties of the entities that are being read.
    var dynamicMembers: [DynamicMember] = []
    /// What was noted, without the entity: it is reported once.
    var noted: [String] = []
    /// The member of the outer object that is being read; nil inside of entities.
    var outerName: String?
    /// Where the object of the entity starts that is being read, and its level.
    private(set) var open: (start: Int, level: Int)?
    /// The entity in which reading stopped: `Products(1)`.
    var faulty: String?
    let limits: PayloadLimits
    /// The row of the entity of depth 0 that is being read.
    private var root = 0

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, table: consuming MemberTable, limits: PayloadLimits
    ) {
        cursor = ByteCursor(bytes, at: position)
        self.table = table
        self.limits = limits
        block = RowBlock()
        extra = []
    }

    /// Reserves capacity for the probable content of the block.
    mutating func reserve(rows: Int, slots: Int) {
        block.rows.reserveCapacity(rows)
        block.slots.reserveCapacity(slots)
    }

    /// Reads one entity with all it expands.
    mutating func entity(level: Int, depth: UInt8, child: Int16) throws(JSONFault) {
        let start = cursor.position
        let row = block.rows.count
        if depth == 0 {
            root = row
        } else if row - root > limits.expandedEntities {
            throw JSONFault(reason: .tooMany, offset: start)
        }
        var header = RowHeader()
        header.depth = depth
        header.child = child
        header.firstSlot = Int32(truncatingIfNeeded: block.slots.count)
        block.rows.append(header)
        block.slots.append(contentsOf: table.levels[level].absent)
        guard try cursor.next() == UInt8(ascii: "{") else {
            if depth == 0 { entry = 0 }
            throw JSONFault(reason: .type, offset: cursor.position)
        }
        let outer = open
        open = (cursor.position, level)
        cursor.position &+= 1
        if try cursor.next() == UInt8(ascii: "}") {
            cursor.position &+= 1
            open = outer
            return
        }
        var previous = table.levels[level].first
        let firstDynamic = dynamicMembers.count
        var lastChild = -1
        var isOrdered = true
        repeat {
            try cursor.expect("\"")
            let nameStart = cursor.position &- 1
            let entry = try member(after: previous, level: level)
            previous = entry
            let found = table.entries[Int(entry)]
            self.entry = entry
            if found.action == .property {
                try property(found, firstSlot: Int(header.firstSlot))
                continue
            }
            switch found.action {
            case .child, .childDelta, .childLink:
                guard let index = self.child(found, level: level, row: row) else {
                    try skip()
                    continue
                }
                isOrdered = isOrdered && index > lastChild
                lastChild = index
                if found.action == .child {
                    try expanded(index, level: level, row: row, depth: depth)
                } else {
                    _ = try control(found, level: level, row: row, start: start)
                }
            case .dynamic: try dynamic(from: nameStart)
            default:
                guard try !control(found, level: level, row: row, start: start) else {
                    open = outer
                    return dynamicMembers.removeLast(dynamicMembers.count - firstDynamic)
                }
            }
        } while try cursor.hasMore(before: "}")
        if !isOrdered { sortChildren(of: row) }
        if let slot = table.levels[level].shape.dynamicSlot, table.levels[level].isOpen {
            try takeDynamic(from: firstDynamic, into: Int(header.firstSlot) + slot)
        }
        // Not where something is thrown: the innermost entity is the one to name.
        open = outer
    }

    /// How much there is of everything.
    struct Mark {
        fileprivate var rows, slots, media, expansions, diagnostics, extra, noted: Int
    }

    var mark: Mark {
        Mark(
            rows: block.rows.count, slots: block.slots.count, media: block.media.count,
            expansions: block.expansions.count, diagnostics: block.diagnostics.count, extra: extra.count,
            noted: noted.count)
    }

    /// Removes everything after `mark`.
    mutating func rollBack(to mark: Mark) {
        block.rows.removeLast(block.rows.count - mark.rows)
        block.slots.removeLast(block.slots.count - mark.slots)
        block.media.removeLast(block.media.count - mark.media)
        block.expansions.removeLast(block.expansions.count - mark.expansions)
        if block.diagnostics.count > mark.diagnostics { table.forget() }
        noted.removeLast(noted.count - mark.noted)
        block.diagnostics.removeLast(block.diagnostics.count - mark.diagnostics)
        extra.removeLast(extra.count - mark.extra)
        dynamicMembers = []
    }

    /// Takes the name of a member, whose opening quote has been taken, and the colon.
    @inline(__always)
    private mutating func member(after previous: Int32, level: Int) throws(JSONFault) -> Int32 {
        let expected = table.entries[Int(previous)].next
        if isNext(expected) { return expected }
        // Members that are sometimes left out: the one after the expected one.
        let second = table.entries[Int(expected)].next
        if isNext(second) {
            table.setNext(of: previous, to: second)
            return second
        }
        return try unexpectedMember(after: previous, level: level)
    }

    /// Takes the name of `entry`, with its closing quote and the colon, if it is here.
    @inline(__always)
    private mutating func isNext(_ entry: Int32) -> Bool {
        let expected = table.entries[Int(entry)]
        let length = Int(expected.nameLength)
        let position = cursor.position
        guard length > 0, position &+ max(length, 8) <= cursor.bytes.count else { return false }
        guard cursor.word(at: position) & expected.headMask == expected.head else { return false }
        let isEqual =
            length <= 8
            || table.names.withUnsafeBufferPointer { names in
                cursor.isEqual(at: position, to: names, from: Int(expected.nameStart), length: length)
            }
        if isEqual { cursor.position &+= length }
        return isEqual
    }

    @inline(never)
    private mutating func unexpectedMember(after previous: Int32, level: Int) throws(JSONFault) -> Int32 {
        let span = try cursor.string()
        let entry = table.entry(named: try string(span), level: level)
        try cursor.expect(":")
        if entry != 0 { table.setNext(of: previous, to: entry) }
        return entry
    }

    /// The text of a string.
    func string(_ span: StringSpan) throws(JSONFault) -> String {
        guard span.hasEscapes else { return cursor.text(span.range) }
        var text: [UInt8] = []
        try cursor.appendUnescaped(span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    mutating func skip() throws(JSONFault) { try cursor.skipValue(depth: limits.depth) }
}
