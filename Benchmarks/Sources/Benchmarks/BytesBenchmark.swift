import ArgumentParser
import ByteStreams
import Foundation

/// A cached file read through an input stream, beside plain read(2) in blocks of 128 KiB.
struct BytesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bytes")

    private static let block = 128 * 1024

    @Option(help: "The file's length in MiB.") var size = 1024
    @Option(help: "How often each way is measured; the median counts.") var rounds = 7

    func run() async throws {
        let path = NSTemporaryDirectory() + "odata-bytes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try SampleFile.write(path, megabytes: size)
        // Reading it once brings into the cache what writing has not left there.
        _ = try readPlainly(path)
        let before = PeakMemory.reset()
        let ways: [(name: String, read: () throws -> Int)] = [
            ("read(2)", { try readPlainly(path) }),
            ("stream", { try readStream(path, .synchronous, by: Self.block) }),
            ("stream, reads of 4 KiB", { try readStream(path, .synchronous, by: 4096) }),
            ("stream, asynchronous", { try readStream(path, .asynchronous, by: Self.block) }),
        ]
        var times: [[Duration]] = Array(repeating: [], count: ways.count)
        for _ in 0..<rounds {
            for (index, way) in ways.enumerated() {
                var count = 0
                times[index].append(try ContinuousClock().measure { count = try way.read() })
                guard count == size << 20 else { throw ValidationError("\(way.name) gave \(count) bytes.") }
            }
        }
        // What else the machine does changes from second to second: each turn is compared with its neighbour.
        let plain = times[0]
        for (way, times) in zip(ways, times) {
            let speed = Int((Double(size) / (median(times) / .seconds(1))).rounded())
            let ratio = String(format: "%.2f", median(zip(plain, times).map { $0 / $1 }))
            print("\(way.name): \(speed) MiB/s, \(ratio) of read(2)")
        }
        print("memory: \(before) MB before, at most \(PeakMemory.megabytes()) MB")
    }

    private func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }

    private func readPlainly(_ path: String) throws -> Int {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw ValidationError("\(path) cannot be opened.") }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.block, alignment: 4096)
        defer { buffer.deallocate() }
        var total = 0
        while case let count = read(descriptor, buffer, Self.block), count > 0 { total += count }
        return total
    }

    /// The asynchronous stream is read in this thread's run loop.
    private func readStream(_ path: String, _ mode: SourceInputStream.Mode, by size: Int) throws -> Int {
        let stream = SourceInputStream(try FileSource(path: path), mode: mode)
        let reader = StreamReader(size: size)
        defer { stream.close() }
        if mode == .synchronous {
            stream.open()
            while stream.hasBytesAvailable, reader.read(stream) {}
        } else {
            reader.runUntilClosed(stream)
        }
        return reader.total
    }
}

/// Reads a stream into one buffer and counts.
private final class StreamReader: NSObject, StreamDelegate {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var total = 0

    init(size: Int) {
        buffer = .allocate(capacity: size)
    }

    deinit { buffer.deallocate() }

    /// - Returns: False at the end and after a failure.
    func read(_ stream: InputStream) -> Bool {
        guard let start = buffer.baseAddress else { return false }
        let count = stream.read(start, maxLength: buffer.count)
        total += max(0, count)
        return count > 0
    }

    func runUntilClosed(_ stream: InputStream) {
        let mode = RunLoop.Mode("bytes")
        stream.delegate = self
        stream.schedule(in: .current, forMode: mode)
        stream.open()
        while RunLoop.current.run(mode: mode, before: .distantFuture) {}
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        switch eventCode {
        case .hasBytesAvailable: if let stream = aStream as? InputStream { _ = read(stream) }
        case .endEncountered, .errorOccurred: aStream.close()
        default: break
        }
    }
}
