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
    /// How many bytes are written before the response begins, if the rows for them are in memory already.
    private static var most: Int { 262_144 }

    /// The body of a collection. A short one of rows that are at hand is written as a whole; of others, each pull reads
    /// one block and writes it, and no more than one block is in memory.
    ///
    /// - Parameter first: The first block of rows, which the caller has read; nil if the result is empty.
    /// - Throws: What is wrong with the first rows: it is an error of the response, and does not cut its body.
    init(_ reader: any EntityReader, first: RowBlock?, writer: some RowWriter, call: ServiceCall) async throws {
        var body = EntityBody(writer, call: call)
        try body.begin(first)
        while !body.isFinished, body.length < Self.most, reader.isAtHand { try body.write(try await reader.next()) }
        if body.isFinished {
            self.init(body.takeBytes())
        } else {
            let stream = EntityStream(reader: reader, body: body)
            self.init(ByteChunks { try await stream.next() }, length: nil)
        }
    }

    /// The body of a collection whose rows are all in memory.
    ///
    /// - Throws: What is wrong with the rows.
    init(_ blocks: [RowBlock], writer: some RowWriter, call: ServiceCall) throws {
        var body = EntityBody(writer, call: call)
        try body.begin(blocks.first)
        for block in blocks.dropFirst() { try body.write(block) }
        if !body.isFinished { try body.write(nil) }
        self.init(body.takeBytes())
    }
}

/// The rows of a collection as bytes, with the links that are behind them.
private struct EntityBody<Writer: RowWriter>: Sendable {
    private var writer: Writer
    private let call: ServiceCall
    private var nextLink: String?
    private var deltaLink: String?
    private var bytes: [UInt8] = []
    private(set) var isFinished = false

    init(_ writer: Writer, call: ServiceCall) {
        self.writer = writer
        self.call = call
    }

    /// - Parameter first: The first block of rows; nil if the result is empty.
    mutating func begin(_ first: RowBlock?) throws {
        writer.begin(count: first?.count)
        try write(first)
    }

    /// - Parameter block: Nil at the end.
    mutating func write(_ block: RowBlock?) throws {
        if let block {
            writer.write(block)
            if let problem = writer.problem { throw ServiceFailure(.notAcceptable, problem) }
            nextLink = block.nextLink.map(call.link) ?? nextLink
            deltaLink = block.deltaLink.map(call.link) ?? deltaLink
        } else {
            writer.end(nextLink: nextLink, deltaLink: deltaLink)
            isFinished = true
        }
        let written = writer.takeBytes()
        if bytes.isEmpty { bytes = written } else { bytes += written }
    }

    /// How many bytes there are since the last call of ``takeBytes()``.
    var length: Int { bytes.count }

    mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}

/// Reads the rest of a collection while its body is sent.
private actor EntityStream<Writer: RowWriter> {
    private let reader: any EntityReader
    private var body: EntityBody<Writer>

    init(reader: any EntityReader, body: EntityBody<Writer>) {
        self.reader = reader
        self.body = body
    }

    /// The next bytes; nil at the end. What the reader throws ends the body before its end.
    func next() async throws -> [UInt8]? {
        while true {
            let bytes = body.takeBytes()
            if !bytes.isEmpty { return bytes }
            guard !body.isFinished else { return nil }
            try body.write(try await reader.next())
        }
    }
}
