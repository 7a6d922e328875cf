import ODataMetadata
import ODataModel

/// Turns the bytes of a payload, given in pieces, into blocks of rows.
package struct PayloadMachine: PayloadParser {
    enum Phase {
        case start
        /// Inside the outer object, where a member or its end is next.
        case members(isFirst: Bool)
        /// Inside `value`.
        case elements(isFirst: Bool)
        case end
    }

    private static let leastBytes = 64 * 1024

    let shape: RowShape
    let kind: PayloadKind
    private let limits: PayloadLimits
    var table: MemberTable
    var phase = Phase.start
    private(set) var buffer: [UInt8] = []
    /// The received bytes that are not in the buffer yet. Blocks stay small, so that their memory is used again and
    /// again.
    private var pending: ArraySlice<UInt8> = []
    /// Bytes of the buffer that are dealt with.
    var position = 0
    /// Bytes of the payload before the buffer.
    var offset = 0
    /// How many bytes the buffer must hold before reading continues.
    private var wanted = leastBytes
    var hasValue = false
    var count: Int64?
    var context: String?
    var nextLink: String?
    var deltaLink: String?
    private var sentCount = false
    /// How much a block mostly holds.
    private var usualRows = 0
    private var usualSlots = 0

    package static func parser(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) -> sending Self {
        Self(shape: shape, kind: kind, limits: limits)
    }

    package init(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) {
        self.shape = shape
        self.kind = kind
        self.limits = limits
        table = MemberTable(shape: shape, kind: kind)
    }

    /// A fault, and the member it was met in.
    struct Failure {
        var fault: JSONFault
        var entry: Int32
        /// The member of the outer object, and else the entity, in which the fault was met.
        var outerName: String?
        var entity: String?
        /// Of the buffer in the payload.
        var offset: Int
        var bytes: [UInt8]
    }

    package mutating func feed(_ chunk: [UInt8]) {
        if pending.isEmpty { pending = chunk[...] } else { pending.append(contentsOf: chunk) }
    }

    /// Reads on.
    ///
    /// - Parameter isEnd: Whether no more bytes will come.
    package mutating func advance(isEnd: Bool) throws(FormatError) -> PayloadStep {
        while true {
            if case .end = phase { return try finish(isEnd: isEnd) }
            let isLast = takePending() && isEnd
            guard isLast || buffer.count >= wanted else { return .needsBytes }
            let (block, failure) = parse()
            if let failure, failure.fault.reason != .incomplete || isLast { throw error(failure) }
            try checkBudget()
            if let block { return .block(block) }
        }
    }

    /// Fills the buffer up to the requested size; true if nothing is pending then.
    private mutating func takePending() -> Bool {
        guard !pending.isEmpty else { return true }
        let count = min(pending.count, max(0, wanted - buffer.count))
        buffer.reserveCapacity(wanted + wanted / 8)
        buffer.append(contentsOf: pending.prefix(count))
        pending.removeFirst(count)
        if pending.isEmpty { pending = [] }
        return pending.isEmpty
    }

    private mutating func finish(isEnd: Bool) throws(FormatError) -> PayloadStep {
        buffer.append(contentsOf: pending)
        pending = []
        if let stray = buffer[position...].firstIndex(where: { $0 > 0x20 }) {
            throw FormatError("Something follows the payload.", offset: offset + stray)
        }
        offset += buffer.count
        buffer = []
        position = 0
        return isEnd ? .end : .needsBytes
    }

    private func checkBudget() throws(FormatError) {
        guard buffer.count <= limits.entityBytes else {
            throw FormatError("An entity is longer than the limit of \(limits.entityBytes) bytes.", offset: offset)
        }
    }

    private mutating func parse() -> (RowBlock?, Failure?) {
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        var table = MemberTable.none
        swap(&table, &self.table)
        var (block, extra, failure) = bytes.withUnsafeBufferPointer { pointer in
            var parser = RowParser(pointer, at: position, table: table, limits: limits)
            table = .none
            parser.reserve(rows: usualRows, slots: usualSlots)
            let failure = run(&parser)
            swap(&self.table, &parser.table)
            self.table.diagnostics.formUnion(parser.noted)
            self.table.told = []
            return (parser.block, parser.extra, failure)
        }
        takeInformation(into: &block)
        keep(tailOf: bytes)
        guard !block.isEmpty || block.count != nil || block.nextLink != nil || block.deltaLink != nil else {
            return (nil, failure)
        }
        block.annotationTerms = self.table.annotationTerms
        swap(&block.context, &context)
        usualRows = max(usualRows, block.rows.count + block.rows.count / 8)
        usualSlots = max(usualSlots, block.slots.count + block.slots.count / 8)
        swap(&block.buffer, &bytes)
        block.buffer.append(contentsOf: extra)
        extra = []
        return (block, failure)
    }

    /// Keeps what is not dealt with.
    private mutating func keep(tailOf bytes: [UInt8]) {
        wanted = max(Self.leastBytes, (bytes.count - position) * 2)
        buffer.reserveCapacity(wanted + wanted / 8)
        buffer.append(contentsOf: bytes[position...])
        offset += position
        position = 0
    }

    private mutating func takeInformation(into block: inout RowBlock) {
        if !sentCount, let count {
            block.count = count
            sentCount = true
        }
        guard case .end = phase else { return }
        (block.nextLink, block.deltaLink) = (nextLink, deltaLink)
        (nextLink, deltaLink) = (nil, nil)
    }
}
