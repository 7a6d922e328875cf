import GRDB
import ODataModel
import ODataStores
import Synchronization

/// Writes the received pages of a query into its stages while further ones are read.
///
/// A transaction takes all pages that have come, also during itself, up to a limit of bytes: the pages are few where the
/// service is slow, and many where the database is. It ends at the end of a page, or within one that is larger than a
/// part; a page that was cut is read again from its beginning.
final class PageQueue: Sendable {
    /// A page, or a part of a large one.
    struct Part: Sendable {
        var blocks: [RowBlock] = []
        /// Nil if the service has returned nothing.
        var shape: RowShape?
        var bytes = 0
        /// Whether the page ends with it.
        var isEnd = false

        var nextLink: String? { blocks.last { $0.nextLink != nil }?.nextLink }
        var deltaLink: String? { blocks.last { $0.deltaLink != nil }?.deltaLink }
        var hasLink: Bool { blocks.contains { $0.nextLink != nil || $0.deltaLink != nil } }
        /// Entities and changes that are not expanded.
        var rows: Int { blocks.reduce(0) { $0 + $1.rows.count { $0.depth == 0 } } }

        mutating func append(_ block: RowBlock) {
            // What it takes, which is much more than it holds where pages are small.
            bytes += block.buffer.capacity + block.slots.capacity * MemoryLayout<RowSlot>.stride
            blocks.append(block)
        }
    }

    /// The maximum size of a part of a page.
    static let partBytes = 2 << 20
    /// How many bytes of received parts wait before the reader does.
    private static let waitingBytes = 1 << 20
    /// After so many bytes a transaction ends.
    private static let transactionBytes = 8 << 20

    private struct State {
        var machine: QueryDownloadMachine
        var parts: [Part] = []
        var bytes = 0
        var isWriting = false
        var failure: (any Error)?
        /// The callers that wait for room, or for the end of writing.
        var waiting: [(isForEnd: Bool, continuation: CheckedContinuation<Void, Never>)] = []

        var hasRoom: Bool { bytes < PageQueue.waitingBytes || !isWriting }

        /// Nil if there is nothing more: then writing has ended.
        mutating func machineToWrite() -> QueryDownloadMachine? {
            isWriting = !parts.isEmpty
            return isWriting ? machine : nil
        }

        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let (isOver, hasRoom) = (!isWriting, hasRoom)
            let ready = waiting.filter { $0.isForEnd ? isOver : hasRoom }.map(\.continuation)
            waiting.removeAll { $0.isForEnd ? isOver : hasRoom }
            return ready
        }
    }

    private let step: DownloadTransaction
    private let root: QueryNode
    private let offline: OfflineModel
    private let state: Mutex<State>

    init(_ machine: QueryDownloadMachine, root: QueryNode, offline: OfflineModel, step: DownloadTransaction) {
        (self.root, self.offline, self.step) = (root, offline, step)
        state = Mutex(State(machine: machine))
    }

    /// The state that the last transaction has saved.
    var machine: QueryDownloadMachine { state.withLock { $0.machine } }

    /// Hands a part over, and waits until there is room for the next one.
    ///
    /// - Throws: The error of an earlier part.
    func add(_ part: Part) async throws {
        let begins = state.withLock { state in
            guard state.failure == nil else { return false }
            state.parts.append(part)
            state.bytes += part.bytes
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Task { await write() } }
        await wait(forEnd: false)
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Waits until everything is written.
    func finish() async throws {
        await wait(forEnd: true)
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func wait(forEnd isForEnd: Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if isForEnd ? !state.isWriting : state.hasRoom { return true }
                state.waiting.append((isForEnd, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Changes the state, then resumes the callers that waited for it.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeReady())
        }
        for continuation in ready { continuation.resume() }
        return result
    }

    private func write() async {
        while let machine = change({ $0.machineToWrite() }) {
            do {
                let (_, written) = try await step.run(machine) { [self] machine, db in try write(&machine, db) }
                change { $0.machine = written }
            } catch {
                change { ($0.failure, $0.parts, $0.bytes) = (error, [], 0) }
            }
        }
    }

    private func write(_ machine: inout QueryDownloadMachine, _ db: Database) throws {
        var bytes = 0
        while bytes < Self.transactionBytes, let part = next() {
            if let shape = part.shape {
                let writer = try StageWriter(
                    root: root, shape: shape, content: machine.content, offline: offline, in: db)
                try writer.stage(part.blocks)
                machine.wroteRows(writer.rows)
            }
            if part.isEnd { _ = machine.readPage(nextLink: part.nextLink, deltaLink: part.deltaLink) }
            bytes += part.bytes
        }
    }

    private func next() -> Part? {
        change { state in
            guard !state.parts.isEmpty else { return nil }
            let part = state.parts.removeFirst()
            state.bytes -= part.bytes
            return part
        }
    }
}
