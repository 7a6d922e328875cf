import ODataFormats
import ODataModel
import ODataStores

/// Turns rows to bytes.
protocol RowWriter: Sendable {
    mutating func begin(count: Int64?)
    mutating func write(_ block: RowBlock)
    mutating func end(nextLink: String?, deltaLink: String?)
    /// The bytes since the last call.
    mutating func take() -> [UInt8]
}

extension JSONEntityWriter: RowWriter {}

/// The body of a collection: each pull reads one block of rows and writes it. No more than one block is in memory.
actor EntityStream<Writer: RowWriter> {
    private enum Phase {
        case beginning, rows, finished
    }

    private let reader: any EntityReader
    private let call: ServiceCall
    private var writer: Writer
    private var first: RowBlock?
    private var phase = Phase.beginning
    private var nextLink: String?
    private var deltaLink: String?

    /// - Parameter first: The first block, which has been read already; nil if there are no rows.
    init(reader: any EntityReader, first: RowBlock?, writer: Writer, call: ServiceCall) {
        self.reader = reader
        self.writer = writer
        self.call = call
        self.first = first
    }

    /// The next bytes; nil at the end. What the reader throws ends the body before its end.
    func next() async throws -> [UInt8]? {
        while phase != .finished {
            try await advance()
            let bytes = writer.take()
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }

    private func advance() async throws {
        let block: RowBlock?
        if phase == .beginning {
            writer.begin(count: first?.count)
            phase = .rows
            block = first
            first = nil
        } else {
            block = try await reader.next()
        }
        guard let block else {
            writer.end(nextLink: nextLink, deltaLink: deltaLink)
            phase = .finished
            return
        }
        writer.write(block)
        nextLink = block.nextLink.map(call.link) ?? nextLink
        deltaLink = block.deltaLink.map(call.link) ?? deltaLink
    }
}
