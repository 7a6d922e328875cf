import ODataModel

/// Turns the bytes of a payload, given in pieces, into blocks of rows.
struct PayloadMachine {
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
    /// Bytes of the buffer that are dealt with.
    var position = 0
    /// Bytes of the payload before the buffer.
    var offset = 0
    /// How many bytes the buffer must hold before reading goes on.
    private var wanted = leastBytes
    var hasValue = false
    var count: Int64?
    var nextLink: String?
    var deltaLink: String?
    private var sentCount = false

    init(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) {
        self.shape = shape
        self.kind = kind
        self.limits = limits
        table = MemberTable(shape: shape, kind: kind)
    }

    /// Whether there are not enough bytes to go on with.
    var needsBytes: Bool { buffer.count < wanted }

    /// A fault, and the member it was met in.
    struct Failure {
        var fault: JSONFault
        var entry: Int32
        /// Of the buffer in the payload.
        var offset: Int
        var bytes: [UInt8]
    }

    /// What ``advance(isEnd:)`` came to.
    enum Step {
        case block(RowBlock)
        case needsBytes
        case end
    }

    mutating func feed(_ chunk: [UInt8]) {
        if buffer.isEmpty {
            buffer = chunk
        } else {
            buffer.append(contentsOf: chunk)
        }
    }

    /// Reads on.
    ///
    /// - Parameter isEnd: Whether no more bytes will come.
    mutating func advance(isEnd: Bool) throws(FormatError) -> Step {
        if case .end = phase { return try finish(isEnd: isEnd) }
        guard isEnd || !needsBytes else { return .needsBytes }
        let (block, failure) = parse()
        if let failure, failure.fault.reason != .incomplete || isEnd { throw error(failure) }
        try checkBudget()
        if let block { return .block(block) }
        if case .end = phase { return try finish(isEnd: isEnd) }
        return .needsBytes
    }

    private mutating func finish(isEnd: Bool) throws(FormatError) -> Step {
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
        let bytes = buffer
        var table = MemberTable.none
        swap(&table, &self.table)
        var (block, extra, failure) = bytes.withUnsafeBufferPointer { pointer in
            var parser = RowParser(pointer, at: position, table: table, depthLimit: limits.depth)
            table = .none
            let failure = run(&parser)
            swap(&self.table, &parser.table)
            return (parser.block, parser.extra, failure)
        }
        takeInformation(into: &block)
        guard !block.isEmpty || block.count != nil || block.nextLink != nil || block.deltaLink != nil else {
            keep(tailOf: bytes)
            return (nil, failure)
        }
        keep(tailOf: bytes)
        block.buffer = bytes
        block.buffer.append(contentsOf: extra)
        extra = []
        return (block, failure)
    }

    /// Drops what is dealt with.
    private mutating func keep(tailOf bytes: [UInt8]) {
        if position > 0 { buffer = Array(bytes[position...]) }
        offset += position
        position = 0
        wanted = max(Self.leastBytes, buffer.count * 2)
    }

    private mutating func takeInformation(into block: inout RowBlock) {
        for diagnostic in block.diagnostics { table.diagnostics.insert(diagnostic.message) }
        if !sentCount, let count {
            block.count = count
            sentCount = true
        }
        guard case .end = phase else { return }
        (block.nextLink, block.deltaLink) = (nextLink, deltaLink)
        (nextLink, deltaLink) = (nil, nil)
    }
}
