import ODataModel

/// Writes blocks of rows as a V4 JSON payload. Hidden slots are never written.
///
/// `@odata.etag` and media control information are written where rows have them; ids, types and links as the
/// options say.
/// [OData-JSON, sections 6 to 15]
package struct JSONEntityWriter: Sendable {
    let options: JSONWriterOptions
    private let kind: PayloadKind
    let level: WriterLevel
    var bytes: [UInt8] = []
    /// Whether a comma must come before the next entity or member.
    private var needsComma = false
    private var count: Int64?
    private var wroteCount = false

    package init(shape: RowShape, kind: PayloadKind, options: JSONWriterOptions = JSONWriterOptions()) {
        self.init(JSONLayout(shape: shape, options: options), kind: kind, options: options)
    }

    /// - Parameter layout: Made for the shape of the rows, with options of the same ``JSONWriterOptions/form``.
    package init(_ layout: JSONLayout, kind: PayloadKind, options: JSONWriterOptions) {
        self.kind = kind
        self.options = options
        level = layout.level
    }

    /// Starts the payload.
    ///
    /// - Parameter count: `@odata.count`; one that is in a block but not given here is written at the end.
    package mutating func begin(count: Int64? = nil) {
        guard kind == .collection else { return }
        append("{")
        if let context = options.contextURL, options.metadata != .none {
            let suffix = options.isDelta && !context.hasSuffix("$delta") ? "/$delta" : ""
            member(control("context"), context + suffix)
            append(",")
        }
        if let count {
            name(control("count"))
            append("\(quotedIfCompatible(count)),")
            wroteCount = true
        }
        append("\"value\":[")
    }

    /// Writes all rows of `block`. For a payload of one entity the first row of depth 0 is the entity.
    package mutating func write(_ block: RowBlock) {
        count = count ?? block.count
        let expansions = ExpansionIndex(block.expansions)
        bytes.reserveCapacity(bytes.count + block.buffer.count + block.slots.count * 16)
        var position = 0
        while position < block.rows.count {
            let header = block.rows[position]
            let related = header.change == .relatedEntity ? relatedLevel(header.child) : nil
            guard header.change != .relatedEntity || related != nil else {
                // An entity of a set that the query does not lead to: its values are not here.
                position = block.end(of: position)
                continue
            }
            if needsComma { append(",") }
            needsComma = true
            if let related {
                let context = "#\(setName(related, of: header, in: block))/$entity"
                entity(at: &position, in: block, level: related, expansions: expansions, context: context)
            } else if header.change == .entity {
                let context = kind == .entity && options.metadata != .none ? options.contextURL : nil
                entity(at: &position, in: block, level: level, expansions: expansions, context: context)
            } else {
                change(header, in: block, level: level)
                position = block.end(of: position)
            }
            if kind == .entity { return }
        }
    }

    /// Ends the payload.
    package mutating func end(nextLink: String? = nil, deltaLink: String? = nil) {
        guard kind == .collection else { return }
        append("]")
        if let count, !wroteCount {
            append(",")
            name(control("count"))
            append(quotedIfCompatible(count))
        }
        if let nextLink {
            append(",")
            member(control("nextLink"), nextLink)
        }
        if let deltaLink {
            append(",")
            member(control("deltaLink"), deltaLink)
        }
        append("}")
    }

    /// The bytes written since the last call.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    func quotedIfCompatible(_ count: Int64) -> String { options.ieee754Compatible ? "\"\(count)\"" : "\(count)" }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @_disfavoredOverload
    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// `@odata.count`, or `@count`.
    func control(_ name: String) -> String { options.usesShortNames ? "@\(name)" : "@odata.\(name)" }

    /// Writes `"name":`.
    mutating func name(_ name: String) {
        JSONText.append(quoted: name, to: &bytes)
        append(":")
    }

    /// Writes `"name":"text"`.
    mutating func member(_ name: String, _ text: String) {
        self.name(name)
        JSONText.append(quoted: text, to: &bytes)
    }
}

/// Finds the counts and next links of a row.
struct ExpansionIndex {
    private var positions: [Int: [Int]] = [:]
    private let expansions: [RowExpansion]

    init(_ expansions: [RowExpansion]) {
        self.expansions = expansions
        for (position, expansion) in expansions.enumerated() { positions[expansion.row, default: []].append(position) }
    }

    func expansion(row: Int, child: Int) -> RowExpansion? {
        guard !expansions.isEmpty, let found = positions[row] else { return nil }
        return found.first { expansions[$0].child == child }.map { expansions[$0] }
    }
}
