import ODataFormats
import ODataModel
import ODataStores

/// Turns rows to bytes.
protocol RowWriter: Sendable {
    mutating func begin(count: Int64?)
    mutating func write(_ block: RowBlock)
    mutating func end(nextLink: String?, deltaLink: String?)
    /// Why what was written is not what was to be written; nil if it is.
    var problem: String? { get }
    /// The bytes since the last call.
    mutating func takeBytes() -> [UInt8]
}

extension RowWriter {
    var problem: String? { nil }
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

    /// Writes the first block: an error in it is one of the response, and does not cut its body.
    func begin() async throws { try await advance() }

    /// The next bytes; nil at the end. What the reader throws ends the body before its end.
    func next() async throws -> [UInt8]? {
        while true {
            let bytes = writer.takeBytes()
            if !bytes.isEmpty { return bytes }
            guard phase != .finished else { return nil }
            try await advance()
        }
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
        if let problem = writer.problem { throw ServiceFailure(.notAcceptable, problem) }
        nextLink = block.nextLink.map(call.link) ?? nextLink
        deltaLink = block.deltaLink.map(call.link) ?? deltaLink
    }
}
