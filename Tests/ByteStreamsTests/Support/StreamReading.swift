import ByteStreams
import Foundation

/// Runs `body` in a thread of its own, where it may wait and run a run loop.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}

extension InputStream {
    /// The bytes that one read gives; nil if it fails.
    func read(_ count: Int) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, filled in
            if let start = buffer.baseAddress { result = read(start, maxLength: count) }
            filled = max(0, result)
        }
        return result < 0 ? nil : bytes
    }

    /// All bytes to the end or the failure, read in pieces.
    func readAll(by count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = read(count), !piece.isEmpty { bytes += piece }
        return bytes
    }

    var position: Int64? { (property(forKey: .fileCurrentOffsetKey) as? NSNumber)?.int64Value }

    func seek(_ offset: Int64) -> Bool { setProperty(NSNumber(value: offset), forKey: .fileCurrentOffsetKey) }

    /// The stream, open or failed.
    func opened() -> Self {
        open()
        return self
    }
}
