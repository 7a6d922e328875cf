import ODataMetadata
import ODataModel

/// Values of other kinds than expected: what does not matter is ignored and noted.
extension RowParser {
    /// The most diagnostics of one payload.
    private static let maximumOfDiagnostics = 20

    /// Notes what is odd in the entity at `row`, each thing once, with the first entity that it was met in.
    ///
    /// - Parameter eachTime: Whether it is reported for each entity.
    mutating func note(_ message: String, row: Int, type: EdmQualifiedName? = nil, eachTime: Bool = false) {
        guard table.diagnostics.count + noted.count < Self.maximumOfDiagnostics,
            eachTime || !table.diagnostics.contains(message) && !noted.contains(message)
        else { return }
        let entity =
            type == nil ? open.flatMap { cursor.entity(at: $0.start, shape: table.levels[$0.level].shape) } : nil
        let text = entity.map { "\($0): \(message)" } ?? message
        noted.append(eachTime ? text : message)
        block.diagnostics.append(RowDiagnostic(text, row: row, type: type))
    }

    /// Remembers the entity in which reading stopped: the innermost one.
    mutating func noteFaulty(_ fault: JSONFault) {
        guard fault.reason != .incomplete, fault.reason != .service, let open else { return }
        faulty = cursor.entity(at: open.start, shape: table.levels[open.level].shape)
    }

    /// The name of the member that is being read.
    private var memberName: String { outerName ?? table.name(of: entry) ?? "A member" }

    /// Skips a value that cannot matter.
    ///
    /// - Parameter what: What the member is: `control information`.
    mutating func passOver(_ what: String, row: Int) throws(JSONFault) {
        let kind = cursor.kindOfNext
        try skip()
        note("\(memberName) is \(what), but the payload has \(kind): it is ignored.", row: row)
    }

    /// The string of control information that can be missed; nil for null, and for what is something else.
    mutating func information(row: Int) throws(JSONFault) -> StringSpan? {
        switch try cursor.next() {
        case UInt8(ascii: "\""), UInt8(ascii: "n"): return try optionalString()
        default:
            try passOver("control information", row: row)
            return nil
        }
    }

    /// A count; nil for other values.
    mutating func optionalCount(row: Int) throws(JSONFault) -> Int64? {
        let start = cursor.position
        do {
            return try count()
        } catch {
            guard error.reason == .type || error.reason == .range || error.reason == .number else { throw error }
            cursor.position = start
            try passOver("a count", row: row)
            return nil
        }
    }

    /// A value of another kind than that of its property, where it can mean one thing only: a number as a string, a
    /// number or Boolean as text, 1 for true, a collection in an object of V2. Otherwise `fault`.
    mutating func otherKind(
        _ found: MemberTable.Entry, firstSlot: Int, at start: Int, _ fault: JSONFault
    ) throws(JSONFault) -> RowSlot {
        guard fault.reason == .type else { return try badValue(found, firstSlot: firstSlot, at: start, fault) }
        cursor.position = start
        let byte = try cursor.next()
        guard let slot = try converted(found.kind, byte) else {
            return try badValue(found, firstSlot: firstSlot, at: start, fault)
        }
        let property = table.levels[Int(found.shape)].shape.properties[Int(found.index)]
        note(
            "\(property.name) is of type \(property.type), but the payload has \(ByteCursor.kind(byte)): it is read as "
                + "that type.", row: block.rows.lastIndex { $0.firstSlot == firstSlot } ?? 0)
        return slot
    }

    private mutating func converted(_ kind: MemberTable.Kind, _ byte: UInt8) throws(JSONFault) -> RowSlot? {
        let start = cursor.position
        switch (kind, byte) {
        case (.string, UInt8(ascii: "t")), (.string, UInt8(ascii: "f")), (.string, UInt8(ascii: "-")),
            (.string, UInt8(ascii: "0")...UInt8(ascii: "9")):
            try skip()
            return slot(.text, start, cursor.position)
        case (.boolean, _):
            try skip()
            switch cursor.text(start..<cursor.position) {
            case "1", "\"true\"", "\"1\"": return .boolean(true)
            case "0", "\"false\"", "\"0\"": return .boolean(false)
            default: return nil
            }
        case (.array, UInt8(ascii: "{")): return try wrappedCollection(from: start)
        case (_, UInt8(ascii: "\"")): return try quotedNumber(kind)
        default: return nil
        }
    }

    /// `{"results":[…]}`
    private mutating func wrappedCollection(from start: Int) throws(JSONFault) -> RowSlot? {
        var range: Range<Int>?
        try cursor.eachMember(depth: 2) { (name, _, cursor) throws(JSONFault) in
            let isArray = try cursor.next() == UInt8(ascii: "[")
            let first = cursor.position
            try cursor.skipValue(depth: PayloadLimits.default.depth)
            if name == "results", isArray { range = first..<cursor.position }
        }
        return range.map { slot(.json, $0.lowerBound, $0.upperBound) }
    }

    /// `"5"`
    private mutating func quotedNumber(_ kind: MemberTable.Kind) throws(JSONFault) -> RowSlot? {
        guard let range = kind.numbers else { return nil }
        cursor.position += 1
        let text = try string(try cursor.string())
        guard let node = try? JSONParser.parse(Array(text.utf8)[...]), case .number(let digits) = node.content else {
            return nil
        }
        switch range {
        case .integer(let range):
            guard let value = EdmDecimal(digits)?.integerValue, range.contains(value) else { return nil }
            return .integer(value)
        case .double: return Double(digits: digits).map { .double($0) }
        }
    }

    /// `"Maker":[{…}]`: the one entity of an array.
    mutating func onlyEntity(of child: Int, level: Int, depth: UInt8) throws(JSONFault) {
        let start = cursor.position
        let row = block.rows.count - 1
        cursor.position &+= 1
        if try cursor.next() == UInt8(ascii: "]") {
            cursor.position &+= 1
        } else {
            let member = entry
            try entity(
                level: table.levels[level].children[child], depth: depth &+ 1, child: Int16(truncatingIfNeeded: child))
            entry = member
            guard try !cursor.hasMore(before: "]") else { throw JSONFault(reason: .type, offset: start) }
        }
        note("\(memberName) is a single entity, but the payload has an array: its element is read.", row: row)
    }

    /// An object where a navigation property is expanded.
    ///
    /// - Returns: Whether it has been dealt with; an entity has not.
    mutating func oddExpansion(_ child: Int, level: Int, row: Int, depth: UInt8) throws(JSONFault) -> Bool {
        let isCollection = table.levels[level].shape.children[child].navigation.isCollection
        let start = cursor.position
        cursor.position &+= 1
        let byte = try cursor.next()
        if byte == UInt8(ascii: "}") {
            cursor.position &+= 1
            note("\(memberName) is expanded, but the payload has an empty object: it is read as null.", row: row)
            return true
        }
        cursor.position &+= 1
        let name = byte == UInt8(ascii: "\"") ? try string(try cursor.string()) : ""
        cursor.position = start
        if name == "__deferred" {
            try passOver("expanded", row: row)
            block.rows[row].presentChildren &= ~(1 << UInt64(min(child, 63)))
            return true
        }
        let shape = table.levels[level].shape.children[child].shape
        guard isCollection else { return false }
        guard name == "results" || name == "__count", shape.slot(of: name) == nil else {
            note("\(memberName) is a collection, but the payload has an object: it is read as its entity.", row: row)
            return false
        }
        try results(of: child, level: level, row: row, depth: depth)
        return true
    }

    /// `{"results":[…]}` of V2.
    private mutating func results(of child: Int, level: Int, row: Int, depth: UInt8) throws(JSONFault) {
        note("\(memberName) is a collection, but the payload has an object: its results are read.", row: row)
        cursor.position &+= 1
        repeat {
            try cursor.expect("\"")
            let name = try string(try cursor.string())
            try cursor.expect(":")
            if name == "results", try cursor.next() == UInt8(ascii: "[") {
                try rows(of: child, level: level, row: row, depth: depth)
            } else if name == "__next" {
                let link = try optionalText()
                expansion(row: row, child: child) { $0.nextLink = link }
            } else {
                try skip()
            }
        } while try cursor.hasMore(before: "}")
    }
}

extension MemberTable.Kind {
    fileprivate enum Numbers {
        case integer(ClosedRange<Int64>)
        case double
    }

    /// Which numbers are values; nil for other kinds, and for those that are read from strings anyway.
    fileprivate var numbers: Numbers? {
        switch self {
        case .byte: .integer(0...255)
        case .sByte: .integer(-128...127)
        case .int16: .integer(-32_768...32_767)
        case .int32: .integer(-2_147_483_648...2_147_483_647)
        case .double: .double
        default: nil
        }
    }
}
