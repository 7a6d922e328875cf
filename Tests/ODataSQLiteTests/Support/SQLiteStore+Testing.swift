import ByteStreams
import Dispatch
import GRDB
import ODataModel
import ODataQuery
import ODataStores

@testable import ODataSQLite

extension SQLiteStore {
    func path(_ text: String) throws -> ResourcePath { try parser.path(text) }

    func entities(_ url: String) async throws -> [EdmEntity] { try await entities(try parser.query(url)) }

    /// The one entity of a path.
    func entity(_ url: String) async throws -> EdmEntity? { try await entities(url).first }

    func change(
        _ target: String, _ operation: ChangeRequest.Operation, configure: (inout ChangeRequest) -> Void = { _ in }
    ) async throws -> ChangeResult {
        var request = ChangeRequest(try path(target), operation)
        configure(&request)
        return try await change(request)
    }

    func create(_ set: String, _ properties: EdmComplexValue, bindings: [EntityPayload.Binding] = []) async throws
        -> ChangeResult
    {
        try await change(set, .create(EntityPayload(properties, bindings: bindings)))
    }

    func update(_ target: String, _ properties: EdmComplexValue, ifMatch: String? = nil) async throws -> ChangeResult {
        try await change(target, .update(EntityPayload(properties))) { $0.ifMatch = ifMatch }
    }

    func bytes(_ target: String, configure: (inout StreamRequest) -> Void = { _ in }) async throws -> [UInt8] {
        try await stream(target, configure: configure).content.collect(upTo: 100_000_000)
    }

    func stream(_ target: String, configure: (inout StreamRequest) -> Void = { _ in }) async throws -> StreamResult {
        var request = StreamRequest(try path(target))
        configure(&request)
        return try await readStream(request)
    }

    /// Calls `body` while another transaction has the connection that writes.
    func whileWriterIsBusy<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        pool.asyncWriteWithoutTransaction { _ in
            begin.finish()
            gate.wait()
        }
        for await _ in begun {}
        defer { gate.signal() }
        return try await body()
    }

    /// All pages of a tracked read or of a delta link: entities, removed ids, and the delta link.
    func tracked(_ url: String, maxPageSize: Int? = nil) async throws -> Tracked {
        var result = Tracked()
        var request = ReadRequest(try parser.query(url))
        request.tracksChanges = true
        request.maxPageSize = maxPageSize
        var next: String? = url
        while next != nil {
            next = nil
            guard case .entities(let reader) = try await read(request).body else { break }
            let assembler = EntityAssembler(shape: reader.shape)
            while let block = try await reader.next() {
                result.entities += assembler.entities(in: block)
                for row in block.rows where row.change != .entity {
                    result.removed.append("\(block.text(row.id) ?? "?") \(row.change)")
                }
                next = block.nextLink ?? next
                result.deltaLink = block.deltaLink ?? result.deltaLink
            }
            result.pages += 1
            request.continuation = next
        }
        return result
    }
}

struct Tracked {
    var entities: [EdmEntity] = []
    var removed: [String] = []
    var deltaLink: String?
    var pages = 0
}

/// The code of the ``ODataError`` that `body` throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> ODataError.Code? {
    do {
        try await body()
        return nil
    } catch { return (error as? ODataError)?.code ?? ODataError.Code("\(type(of: error)): \(error)") }
}

/// The message of the ``ODataError`` that `body` throws.
func message(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return ""
    } catch { return (error as? ODataError)?.message ?? "\(error)" }
}
