import Foundation
import OData
import Synchronization
import Testing

#if canImport(Photos)
    import Photos
#endif

// snippet: a source that a thread reads
/// What a device has in its memory, read in blocks.
struct DeviceSource: BlockingByteSource {
    let length: Int64?
    /// Another one after each change.
    let version: @Sendable () -> UInt64
    /// The bytes from an offset, of this number or fewer.
    let block: @Sendable (Int64, Int) throws -> [UInt8]

    func identity() throws -> SourceIdentity? { SourceIdentity(size: length, file: version()) }

    func openBlocking(at offset: Int64) throws -> any BlockingByteReader { DeviceReader(self, from: offset) }

    func open(at offset: Int64) throws -> ByteChunks {
        let reader = DeviceReader(self, from: offset)
        return ByteChunks {
            let bytes = try reader.next(65_536)
            return bytes.isEmpty ? nil : bytes
        }
    }
}

final class DeviceReader: BlockingByteReader {
    private let source: DeviceSource
    private let offset: Mutex<Int64>

    init(_ source: DeviceSource, from offset: Int64) {
        self.source = source
        self.offset = Mutex(offset)
    }

    func next(_ count: Int) throws -> [UInt8] {
        try offset.withLock { offset in
            let bytes = try source.block(offset, count)
            offset += Int64(bytes.count)
            return bytes
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let bytes = try next(buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
// end

@Suite("The page for those who come from POSInputStreamLibrary: sources")
struct ComingFromPOSInputStreamSources {
    private static let memory = (0..<200).map { UInt8($0) }

    private static func bytes(_ offset: Int64, _ count: Int) -> [UInt8] {
        Array(memory[Int(offset)..<min(memory.count, Int(offset) + count)])
    }

    /// All bytes of a stream, and why it ended before.
    private static func read(_ stream: InputStream) -> (bytes: [UInt8], error: ByteStreamError?) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 50)
        stream.open()
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 { bytes += buffer[..<count] }
        defer { stream.close() }
        return (bytes, stream.streamError as? ByteStreamError)
    }

    @Test("A source that has become invalid is opened again where it was")
    func invalidated() async throws {
        let breaks = Mutex(1)
        let bytes: @Sendable (Int64, Int) -> [UInt8] = Self.bytes
        let wasOff: @Sendable () -> Bool = {
            breaks.withLock { breaks in
                breaks -= 1
                return breaks == 0
            }
        }
        // snippet: a source that has to be opened again
        let source = DeviceSource(
            length: 200, version: { 1 },
            block: { offset, count in
                if offset >= 100, wasOff() { throw ByteStreamError(.invalidated, "The device was off meanwhile.") }
                return bytes(offset, count)
            })
        let stream = SourceInputStream(source, readAhead: 50)
        // end
        let read = Self.read(stream)
        #expect(read.bytes == Self.memory && read.error == nil)
        #expect(try await ByteContent(source).collect(upTo: 200) == Self.memory)
    }

    @Test("Nobody takes the halves of two versions for a whole")
    func changed() throws {
        let bytes: @Sendable (Int64, Int) -> [UInt8] = Self.bytes
        let version = Mutex<UInt64>(1)
        let source = DeviceSource(
            length: 200, version: { version.withLock { $0 } },
            block: { offset, count in
                if offset == 100 { version.withLock { $0 = 2 } }
                return bytes(offset, count)
            })
        let stream = SourceInputStream(source, readAhead: 50)
        #expect(Self.read(stream).bytes.count < 200)
        // snippet: a source that has changed
        if let error = stream.streamError as? ByteStreamError, error.code == .changed { show(error.message) }
        // end
        #expect((stream.streamError as? ByteStreamError)?.code == .changed)
    }

    @Test("Sources are made of sequences")
    func sequences() async throws {
        let bytes: @Sendable (Int64, Int) -> [UInt8] = Self.bytes
        // snippet: a source of a sequence
        let source = SequenceSource(length: 200) { offset in
            AsyncThrowingStream<[UInt8], any Error> { chunks in
                chunks.yield(bytes(offset, 200))
                chunks.finish()
            }
        }
        // end
        #expect(try await ByteContent(source).collect(upTo: 200) == Self.memory)
    }

    #if canImport(Photos)
        /// Not run: there is no photo library where the tests run.
        func assets(identifier: String) throws {
            // snippet: an asset of the photo library
            let found = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
            guard let asset = found.firstObject else { return }
            let stream = SourceInputStream(try PhotoAssetSource(asset), mode: .asynchronous)
            // end
            show(stream)
        }
    #endif
}
