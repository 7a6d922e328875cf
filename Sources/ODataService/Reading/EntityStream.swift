import ByteStreams
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

extension ByteContent {
    /// The body of a collection. Rows that are there already are written at once; of others, each pull reads one block
    /// and writes it. No more than one block is in memory.
    ///
    /// - Parameter first: The first block, which has been read already; nil if there are no rows.
    /// - Throws: What is wrong with the first block: it is an error of the response, and does not cut its body.
    init(_ reader: any EntityReader, first: RowBlock?, writer: some RowWriter, call: ServiceCall) throws {
        var body = EntityBody(writer, call: call)
        body.begin(count: first?.count)
        if let first { try body.write(first) }
        guard first == nil || reader.isAtEnd else {
            let stream = EntityStream(reader: reader, body: body)
            self.init(ByteChunks { try await stream.next() }, length: nil)
            return
        }
        body.end()
        self.init(body.takeBytes())
    }
}

/// The rows of a collection as bytes, with the links that are behind them.
private struct EntityBody<Writer: RowWriter>: Sendable {
    private var writer: Writer
    private let call: ServiceCall
    private var nextLink: String?
    private var deltaLink: String?

    init(_ writer: Writer, call: ServiceCall) {
        self.writer = writer
        self.call = call
    }

    mutating func begin(count: Int64?) { writer.begin(count: count) }

    mutating func write(_ block: RowBlock) throws {
        writer.write(block)
        if let problem = writer.problem { throw ServiceFailure(.notAcceptable, problem) }
        nextLink = block.nextLink.map(call.link) ?? nextLink
        deltaLink = block.deltaLink.map(call.link) ?? deltaLink
    }

    mutating func end() { writer.end(nextLink: nextLink, deltaLink: deltaLink) }

    mutating func takeBytes() -> [UInt8] { writer.takeBytes() }
}

/// Reads the rest of a collection while its body is sent.
private actor EntityStream<Writer: RowWriter> {
    private let reader: any EntityReader
    private var body: EntityBody<Writer>
    private var isFinished = false

    init(reader: any EntityReader, body: EntityBody<Writer>) {
        self.reader = reader
        self.body = body
    }

    /// The next bytes; nil at the end. What the reader throws ends the body before its end.
    func next() async throws -> [UInt8]? {
        while true {
            let bytes = body.takeBytes()
            if !bytes.isEmpty { return bytes }
            guard !isFinished else { return nil }
            if let block = try await reader.next() {
                try body.write(block)
            } else {
                body.end()
                isFinished = true
            }
        }
    }
}
