import ODataModel

extension RowParser {
    /// Reads control information, or skips what is not known.
    ///
    /// - Parameter start: Where the entity's object starts.
    /// - Returns: True if the object turned out to be a 4.0 delta object, which has been read to its end.
    @inline(never)
    mutating func control(
        _ entry: MemberTable.Entry, level: Int, row: Int, start: Int
    ) throws(JSONFault) -> Bool {
        switch entry.action {
        case .id:
            guard block.rows[row].id.isNone else { throw JSONFault(reason: .duplicate, offset: cursor.position) }
            block.rows[row].id = try span(row: row) ?? .none
        case .etag:
            guard block.rows[row].etag.isNone else { throw JSONFault(reason: .duplicate, offset: cursor.position) }
            block.rows[row].etag = try entityTag(row: row) ?? .none
        case .editLink: block.rows[row].editLink = try span(row: row) ?? .none
        case .type: try type(level: level, row: row)
        case .context:
            let context = try text(row: row) ?? ""
            if let change = Self.change(context: context) {
                try deltaObject(change, row: row, start: start)
                return true
            }
            guard level == 0, case .related(let position) = table.origin(context: context) else { return false }
            try relatedEntity(position, row: row, start: start)
            return true
        case .removed: try removed(row: row)
        case .annotation: try annotation(Int(entry.index), row: row)
        case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEtag: try media(entry.action, row: row)
        case .streamReadLink, .streamEditLink, .streamContentType, .streamEtag:
            let name = table.levels[level].streams[Int(entry.index)]
            try stream(entry.action, named: name, row: row)
        case .mediaContent:
            guard let content = try content(form: .binary, row: row) else { break }
            let position = mediaPosition(row: row)
            block.media[position].entity = Self.stream(block.media[position].entity, with: content)
        case .streamContent:
            let name = table.levels[level].streams[Int(entry.index)]
            let media = block.rows[row].media
            let known = media == 0 ? nil : block.media[Int(media) - 1].properties[name]
            let form = StreamForm(mediaType: known?.contentType)
            guard let content = try content(form: form, row: row) else { break }
            let position = mediaPosition(row: row)
            block.media[position].properties[name] = Self.stream(known, with: content)
        case .childCount:
            let count = try optionalCount(row: row)
            if let child = child(entry, level: level, row: row) {
                expansion(row: row, child: child) { $0.count = count }
            }
        case .childNextLink:
            let link = try optionalText()
            if let child = child(entry, level: level, row: row) {
                expansion(row: row, child: child) { $0.nextLink = link }
            }
        case .childDelta:
            guard let child = child(entry, level: level, row: row) else { break }
            try changes(child: child, level: level, row: row)
        case .childLink:
            guard let child = child(entry, level: level, row: row) else { break }
            try link(child: child, level: level, row: row)
        case .group: try group(Int(entry.index), row: row)
        case .error: try unexpectedObject(.service, opening: "{")
        case .value: try unexpectedObject(.collection, opening: "[")
        case .undeclared:
            try skip()
            undeclared(row: row, level: level)
        case .skip, .property, .child, .dynamic: try skip()
        }
        return false
    }

    /// An instance annotation that is true or false; others are ignored.
    private mutating func annotation(_ index: Int, row: Int) throws(JSONFault) {
        let value: Bool
        switch try cursor.next() {
        case UInt8(ascii: "t"):
            try cursor.word("true")
            value = true
        case UInt8(ascii: "f"):
            try cursor.word("false")
            value = false
        default: return try skip()
        }
        if let place = table.place(ofAnnotation: index) { block.rows[row].annotate(place, value) }
    }

    /// The span of control information; nil for null, and for what is not a string.
    mutating func span(row: Int) throws(JSONFault) -> RowSpan? {
        guard let span = try information(row: row) else { return nil }
        return try placed(span)
    }

    private mutating func placed(_ span: StringSpan) throws(JSONFault) -> RowSpan {
        span.hasEscapes ? try unescaped(span) : slot(.text, span.start, span.end).span
    }

    /// The span of an ETag; nil for null, and for what is not an ETag.
    private mutating func entityTag(row: Int) throws(JSONFault) -> RowSpan? {
        guard let found = try information(row: row) else { return nil }
        // `W/\"\"`
        if found.end - found.start <= 6, EntityTag.checked(try string(found)) == nil { return nil }
        return try placed(found)
    }

    /// The text of control information; nil for null, and for what is not a string.
    mutating func text(row: Int) throws(JSONFault) -> String? {
        guard let span = try information(row: row) else { return nil }
        return try string(span)
    }

    mutating func optionalText() throws(JSONFault) -> String? {
        guard let span = try optionalString() else { return nil }
        return try string(span)
    }

    mutating func optionalString() throws(JSONFault) -> StringSpan? {
        let byte = try cursor.next()
        if byte == UInt8(ascii: "n") {
            try cursor.word("null")
            return nil
        }
        guard byte == UInt8(ascii: "\"") else { throw JSONFault(reason: .type, offset: cursor.position) }
        cursor.position += 1
        return try cursor.string()
    }

    /// `15`, or `"15"` for IEEE754Compatible=true.
    mutating func count() throws(JSONFault) -> Int64 {
        let byte = try cursor.next()
        return try integer(byte, .min ... .max).bits
    }

    mutating func expansion(row: Int, child: Int, change: (inout RowExpansion) -> Void) {
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

    private mutating func media(_ action: Action, row: Int) throws(JSONFault) {
        let text = try text(row: row)
        let position = mediaPosition(row: row)
        Self.set(action, text, in: &block.media[position].entity)
    }

    private mutating func stream(_ action: Action, named name: String, row: Int) throws(JSONFault) {
        let text = try text(row: row)
        let position = mediaPosition(row: row)
        Self.set(action, text, in: &block.media[position].properties[name])
    }

    private static func set(_ action: Action, _ text: String?, in stream: inout RowMedia.Stream?) {
        var changed = stream ?? RowMedia.Stream()
        switch action {
        case .mediaReadLink, .streamReadLink: changed.readLink = text
        case .mediaEditLink, .streamEditLink: changed.editLink = text
        case .mediaContentType, .streamContentType: changed.contentType = text
        default: changed.etag = EntityTag.checked(text)
        }
        stream = changed
    }

    /// The bytes of a stream inside its entity, nil in it for null; nil for what cannot be its content, since a
    /// stream can be asked for. Its media type is before it.
    private mutating func content(form: StreamForm, row: Int) throws(JSONFault) -> [UInt8]?? {
        let first = try cursor.next()
        guard form == .json || first != UInt8(ascii: "n") else {
            try skip()
            return .some(nil)
        }
        guard form == .json || first == UInt8(ascii: "\"") else {
            try passOver("a stream", row: row)
            return nil
        }
        guard form != .json else {
            let start = cursor.position
            try skip()
            return Array(cursor.span(start..<cursor.position))
        }
        let start = cursor.position
        let text = try optionalText() ?? ""
        guard form == .binary else { return Array(text.utf8) }
        guard let bytes = EdmValue.bytes(base64: text) else {
            cursor.position = start
            try passOver("a stream in base64url", row: row)
            return nil
        }
        return bytes
    }

    private static func stream(_ stream: RowMedia.Stream?, with content: [UInt8]?) -> RowMedia.Stream {
        var stream = stream ?? RowMedia.Stream()
        stream.content = content
        return stream
    }

    /// A property that a closed type does not have: reported once, then ignored.
    private mutating func undeclared(row: Int, level: Int) {
        guard let name = table.name(of: entry) else { return }
        note("\(name) is not a property of \(table.levels[level].shape.type.name): it is ignored.", row: row)
        table.setTold(entry)
    }

    private mutating func mediaPosition(row: Int) -> Int {
        if block.rows[row].media == 0 {
            block.media.append(RowMedia())
            block.rows[row].media = Int32(truncatingIfNeeded: block.media.count)
        }
        return Int(block.rows[row].media) - 1
    }

    mutating func unexpectedObject(
        _ reason: JSONFault.Reason, opening: Unicode.Scalar
    ) throws(JSONFault) {
        let found = try cursor.next()
        let start = cursor.position
        try skip()
        if found == UInt8(ascii: opening) { throw JSONFault(reason: reason, offset: start) }
    }
}
