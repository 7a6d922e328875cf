import Synchronization

/// Bytes in memory as a source.
public struct DataSource: ByteSource {
    private static let chunkSize = 128 * 1024
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var length: Int64? { Int64(bytes.count) }

    public func open(at offset: Int64) throws -> ByteChunks {
        guard (0...Int64(bytes.count)).contains(offset) else {
            throw ByteStreamError(.pastEnd, "Offset \(offset) lies outside the \(bytes.count) bytes.")
        }
        let bytes = bytes
        let position = Mutex(Int(offset))
        return ByteChunks {
            position.withLock { position in
                guard position < bytes.count else { return nil }
                let end = min(position + Self.chunkSize, bytes.count)
                defer { position = end }
                return Array(bytes[position..<end])
            }
        }
    }
}

final class OnceFlag: Sendable {
    private let taken = Mutex(false)

    var isTaken: Bool { taken.withLock { $0 } }

    /// True for the first caller.
    func take() -> Bool {
        taken.withLock { taken in
            defer { taken = true }
            return !taken
        }
    }
}
