import Foundation

/// Reads a source ahead of the reader of the stream: in a task, or in a separate thread where threads can
/// read the source. No more is read ahead than was asked for, and one chunk.
///
/// `@unchecked Sendable`: what changes is guarded by the condition, whose lock the compiler does not know.
final class PumpedFeed: StreamFeed, @unchecked Sendable {
    private static let largestChunk = 64 * 1024

    private let original: OriginalSource
    private let start: Int64
    private let readAhead: Int
    private let waits: Bool
    private let changed: @Sendable () -> Void
    private let condition = NSCondition()
    // Guarded by the condition:
    private var chunks: [ArraySlice<UInt8>] = []
    private var buffered = 0
    private var hasOpened = false
    private var hasEnded = false
    private var isStopped = false
    private var failure: (any Error)?
    private var sleeper: CheckedContinuation<Bool, Never>?
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - waits: Whether a read waits for bytes.
    ///   - changed: Called after what a read would find has changed, without a lock.
    init(
        _ original: OriginalSource, from start: Int64, readAhead: Int, waits: Bool,
        changed: @escaping @Sendable () -> Void
    ) {
        (self.original, self.start, self.readAhead) = (original, start, max(1, readAhead))
        (self.waits, self.changed) = (waits, changed)
    }

    func begin() {
        if original.blocking != nil {
            let thread = Thread { self.pumpInThread() }
            thread.name = "ByteStreams"
            thread.start()
        } else {
            let task = Task { await self.pumpInTask() }
            let isStopped = locked {
                self.task = task
                return self.isStopped
            }
            if isStopped { task.cancel() }
        }
    }

    func waitUntilOpened() throws {
        try locked {
            while !hasOpened, failure == nil, !isStopped { condition.wait() }
            if let failure, !hasOpened { throw failure }
        }
    }

    var isOpened: Bool { locked { hasOpened } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, sleeper) = try locked {
            while chunks.isEmpty, failure == nil, !hasEnded, !isStopped {
                guard waits else { return (Int?.none, CheckedContinuation<Bool, Never>?.none) }
                condition.wait()
            }
            guard !isStopped else { throw ByteStreamError(.unreadable, "The stream was closed while it was read.") }
            if chunks.isEmpty, let failure { throw failure }
            return (take(into: buffer), wake())
        }
        sleeper?.resume(returning: true)
        return count
    }

    func supply(at offset: Int64) -> StreamMachine.Supply {
        locked {
            if buffered > 0 { return .bytes }
            if let failure { return .failure(failure) }
            return hasEnded || offset == original.length ? .end : .nothing
        }
    }

    func stop() {
        let (sleeper, task) = locked {
            isStopped = true
            chunks = []
            buffered = 0
            condition.broadcast()
            return (self.wake(), self.task)
        }
        sleeper?.resume(returning: false)
        task?.cancel()
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count, let chunk = chunks.first {
            let part = chunk.prefix(buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
            count += part.count
            if part.count == chunk.count { chunks.removeFirst() } else { chunks[0] = chunk.dropFirst(part.count) }
        }
        buffered -= count
        return count
    }

    /// Lets the pump continue when space is free again.
    private func wake() -> CheckedContinuation<Bool, Never>? {
        guard buffered < readAhead else { return nil }
        condition.broadcast()
        defer { sleeper = nil }
        return sleeper
    }
}

/// The side that reads the source.
extension PumpedFeed {
    private func pumpInThread() {
        do {
            let reader = try CheckedReader(original, at: start)
            note { hasOpened = true }
            while waitForRoom() {
                let chunk = try [UInt8](unsafeUninitializedCapacity: min(readAhead, Self.largestChunk)) {
                    buffer, count in
                    count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard keep(chunk) else { return }
            }
        } catch {
            note { failure = error }
        }
    }

    private func pumpInTask() async {
        do {
            var chunks = try CheckedChunks(original, at: start)
            note { hasOpened = true }
            while await sleepUntilRoom() {
                guard keep(try await chunks.next() ?? []) else { return }
            }
        } catch {
            note { failure = error }
        }
    }

    /// - Returns: False at the end.
    private func keep(_ chunk: [UInt8]) -> Bool {
        note {
            hasEnded = chunk.isEmpty
            guard !chunk.isEmpty, !isStopped else { return }
            chunks.append(chunk[...])
            buffered += chunk.count
        }
        return !chunk.isEmpty
    }

    private func note(_ change: () -> Void) {
        locked {
            change()
            condition.broadcast()
        }
        changed()
    }

    /// - Returns: False if the reader has closed the stream.
    private func waitForRoom() -> Bool {
        locked {
            while buffered >= readAhead, !isStopped { condition.wait() }
            return !isStopped
        }
    }

    private func sleepUntilRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let goesOn: Bool? = locked {
                if isStopped { return false }
                if buffered < readAhead { return true }
                sleeper = continuation
                return nil
            }
            if let goesOn { continuation.resume(returning: goesOn) }
        }
    }
}
