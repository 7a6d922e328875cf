import GRDB
import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL

/// Decodes the rows of a statement into a block.
struct RowDecoder: Sendable {
    let shape: RowShape
    let projection: RowProjection
    private let decoders: [SlotDecoder]
    /// Forms of ``decoders``: values without references, so that the common slots cost no retain.
    private let forms: [SlotDecoder.Form]
    private let canonical: CanonicalPath?
    private let set: String
    /// Nil for tables that only the store writes.
    let misfits: MismatchedValueLog?
    /// Slots without which a row cannot be addressed; none for tables that only the store writes.
    private let keySlots: [Int]
    private let types: RowTypes
    private let presentChildren: UInt64
    /// Whether rows are of different types or have different properties.
    private let hasVariants: Bool
    /// Slots with a column that is 0 if the row lacks the property.
    private let optionalSlots: [(slot: Int, column: CInt)]

    init(shape: RowShape, statement: RowStatement, mapping: any SQLMapping) {
        self.shape = shape
        set = statement.set.name
        misfits = (mapping as? PublishedSchema)?.misfits
        keySlots = misfits == nil || !statement.isEntities ? [] : shape.keySlots ?? []
        projection = statement.projection
        types = RowTypes(shape: shape, type: statement.type)
        optionalSlots = projection.slots.enumerated().compactMap { slot, column in
            column.presence.map { (slot, CInt($0)) }
        }
        presentChildren = types.presentChildren.first ?? 0
        hasVariants = shape.types.count > 1 || !optionalSlots.isEmpty
        let checksTexts = misfits != nil && statement.isEntities
        decoders = projection.slots.map { column in
            var decoder = SlotDecoder(codec: column.codec, type: column.type)
            decoder.checksTexts = checksTexts
            return decoder
        }
        forms = misfits == nil ? decoders.map(\.form) : decoders.map(\.checkedForm)
        canonical = CanonicalPath(set: statement.set, type: statement.type, shape: shape)
    }

    /// Appends the slots, texts and media of the row that `statement` is on. The header is the caller's to put
    /// where it belongs. Nil where the key has no value of its type: such a row is left out.
    func header(_ statement: SQLiteStatement, in block: inout RowBlock) -> RowHeader? {
        var header = RowHeader()
        header.firstSlot = Int32(block.slots.count)
        for column in forms.indices { block.slots.append(slot(statement, column, &block.buffer)) }
        for slot in keySlots where block.slots[Int(header.firstSlot) + slot].hasNoValue { return nil }
        header.presentChildren = presentChildren
        if hasVariants { takeVariant(statement, &header, &block) }
        if let column = projection.rowID { header.rowID = sqlite3_column_int64(statement, CInt(column)) }
        if let column = projection.etag { header.etag = span(statement, column, in: &block) }
        if let column = projection.entityID { header.id = span(statement, column, in: &block) }
        if header.id.isNone, let canonical {
            header.id = canonical.append(firstSlot: Int(header.firstSlot), to: &block)
        }
        if let annotations = projection.annotations {
            block.annotationTerms = annotations.terms
            header.annotations = UInt32(
                truncatingIfNeeded: sqlite3_column_int64(statement, CInt(annotations.column)))
        }
        if !projection.streams.isEmpty { header.media = media(statement, in: &block) }
        return header
    }

    /// Decodes the parts that differ from row to row: the type and the existing properties.
    private func takeVariant(_ statement: SQLiteStatement, _ header: inout RowHeader, _ block: inout RowBlock) {
        let first = Int(header.firstSlot)
        header.type = types.position(statement, projection.typeName)
        header.presentChildren = types.presentChildren[Int(header.type)]
        for slot in types.absentSlots[Int(header.type)] { block.slots[first + slot] = .absent }
        for (slot, column) in optionalSlots where sqlite3_column_int(statement, column) == 0 {
            block.slots[first + slot] = .absent
        }
    }

    private func slot(_ statement: SQLiteStatement, _ column: Int, _ buffer: inout [UInt8]) -> RowSlot {
        switch (forms[column], sqlite3_column_type(statement, CInt(column))) {
        case (.absent, _): .absent
        case (_, SQLITE_NULL): .null
        case (.integer, SQLITE_INTEGER): .integer(sqlite3_column_int64(statement, CInt(column)))
        case (.double, SQLITE_FLOAT): .double(sqlite3_column_double(statement, CInt(column)))
        case (.boolean, SQLITE_INTEGER) where sqlite3_column_int64(statement, CInt(column)) & ~1 == 0:
            .boolean(sqlite3_column_int64(statement, CInt(column)) == 1)
        case (.text, SQLITE_TEXT): .span(.text, buffer.append(utf8: statement.text(at: CInt(column))))
        default: checked(statement, column, &buffer)
        }
    }

    private func checked(_ statement: SQLiteStatement, _ column: Int, _ buffer: inout [UInt8]) -> RowSlot {
        let slot = decoders[column].slot(statement, CInt(column), &buffer)
        if let misfits, decoders[column].isMisfit(slot) { misfits.note(shape.properties[column].name, of: set) }
        return slot
    }

    private func span(_ statement: SQLiteStatement, _ column: Int, in block: inout RowBlock) -> RowSpan {
        guard sqlite3_column_type(statement, CInt(column)) != SQLITE_NULL else { return .none }
        return block.buffer.append(utf8: statement.text(at: CInt(column)))
    }

    private func media(_ statement: SQLiteStatement, in block: inout RowBlock) -> Int32 {
        var media = RowMedia()
        for columns in projection.streams {
            let stream = RowMedia.Stream(
                readLink: text(statement, columns.readLink), editLink: text(statement, columns.editLink),
                contentType: text(statement, columns.contentType), etag: text(statement, columns.etag))
            let isPresent =
                stream.readLink != nil || stream.editLink != nil || stream.contentType != nil || stream.etag != nil
            guard isPresent else { continue }
            if let property = columns.property { media.properties[property] = stream } else { media.entity = stream }
        }
        guard media.entity != nil || !media.properties.isEmpty else { return 0 }
        block.media.append(media)
        return Int32(block.media.count)
    }

    private func text(_ statement: SQLiteStatement, _ column: Int?) -> String? {
        guard let column, sqlite3_column_type(statement, CInt(column)) != SQLITE_NULL else { return nil }
        return String(decoding: statement.text(at: CInt(column)), as: UTF8.self)
    }
}

extension RowSlot {
    fileprivate var hasNoValue: Bool { kind == .absent || kind == .null }
}

/// Writes the canonical path of a row as its id: `Order_Details(OrderID=1,ProductID=2)`.
struct CanonicalPath: Sendable {
    private struct Part: Sendable {
        /// `Order_Details(OrderID=`, `,ProductID=`
        let lead: [UInt8]
        let slot: Int
        let isText: Bool
    }

    private let parts: [Part]
    private let shape: RowShape
    private let setName: [UInt8]

    init?(set: EdmEntitySet, type: EdmStructuredType, shape: RowShape) {
        let slots = type.keyProperties.compactMap { key in
            shape.properties.firstIndex { $0.name == key.name && $0.type == key.type }
        }
        let isSingleton = set.kind == .singleton
        guard isSingleton || (!slots.isEmpty && slots.count == type.key.count), type.kind == .entity else { return nil }
        self.shape = shape
        setName = Array(ResourcePath(set).url.utf8)
        let lead = setName
        guard !isSingleton else {
            parts = []
            return
        }
        parts = zip(type.key, slots).enumerated().map { position, pair in
            let start = position == 0 ? lead + [UInt8(ascii: "(")] : [UInt8(ascii: ",")]
            let name = slots.count == 1 ? [] : Array(pair.0.utf8) + [UInt8(ascii: "=")]
            return Part(
                lead: start + name, slot: pair.1, isText: shape.properties[pair.1].type == .string)
        }
    }

    func append(firstSlot: Int, to block: inout RowBlock) -> RowSpan {
        let start = block.buffer.count
        guard !parts.isEmpty else { return block.append(bytes: setName) }
        for part in parts {
            block.buffer.append(contentsOf: part.lead)
            guard append(block.slots[firstSlot + part.slot], isText: part.isText, to: &block.buffer) else {
                block.buffer.removeSubrange(start...)
                return general(firstSlot: firstSlot, to: &block)
            }
        }
        block.buffer.append(UInt8(ascii: ")"))
        return RowSpan(offset: UInt32(start), length: UInt32(block.buffer.count - start))
    }

    /// False if a value must be converted.
    private func append(_ slot: RowSlot, isText: Bool, to buffer: inout [UInt8]) -> Bool {
        switch slot.kind {
        case .integer: buffer.append(integer: slot.bits)
        case .text where isText:
            buffer.append(UInt8(ascii: "'"))
            guard copy(slot.span.range, in: &buffer) else { return false }
            buffer.append(UInt8(ascii: "'"))
        default: return false
        }
        return true
    }

    private func copy(_ range: Range<Int>, in buffer: inout [UInt8]) -> Bool {
        for position in range {
            let byte = buffer[position]
            let isLetter = (0x41...0x5A).contains(byte & 0xDF)
            guard byte.isDigit || isLetter || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E else {
                return false
            }
            buffer.append(byte)
        }
        return true
    }

    private func general(firstSlot: Int, to block: inout RowBlock) -> RowSpan {
        var row = RowHeader()
        row.firstSlot = Int32(firstSlot)
        block.rows.append(row)
        defer { block.rows.removeLast() }
        var components: [EdmComplexValue.Member] = []
        for part in parts {
            let value = block.value(row: block.rows.count - 1, slot: part.slot, shape: shape)
            guard let value, !value.isNull else { return .none }
            components.append(.init(name: shape.properties[part.slot].name, value: value))
        }
        return block.append(bytes: setName + Array(EntityKey(components).urlText.utf8))
    }
}
