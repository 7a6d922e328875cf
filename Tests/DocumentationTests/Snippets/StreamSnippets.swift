import ByteStreams
import Foundation
import Testing

@Suite("The article on streams")
struct StreamSnippets {
    @Test("Sources are read from any offset, in parts and joined")
    func sources() async throws {
        let site = try FieldSite()
        let file = try site.write(Array(0..<100), to: "file.bin")
        var read: [UInt8] = []
        // snippet: sources
        let source = try FileSource(path: file)
        let part = try SliceSource(source, range: 10..<20)
        let both = JoinedSource([part, DataSource([1, 2, 3])])
        for try await chunk in try both.open(at: 8) { read += chunk }
        // end
        #expect(read == [18, 19, 1, 2, 3])
        // snippet: a source of one's own
        let made = SequenceSource(length: 300) { offset in
            AsyncStream { chunks in
                chunks.yield([UInt8](repeating: 7, count: Int(300 - offset)))
                chunks.finish()
            }
        }
        let bytes = try await ByteContent(made).collect(upTo: 1_000)
        // end
        #expect(bytes == Array(repeating: 7, count: 300))
    }

    @Test("An input stream reads a source")
    func inputStream() throws {
        let site = try FieldSite()
        let source = try FileSource(path: site.write(Array(0..<100), to: "file.bin"))
        var read: [UInt8] = []
        // snippet: an input stream
        let stream = SourceInputStream(source)
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 64)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 { read += buffer[..<count] }
        if let error = stream.streamError { throw error }
        stream.close()
        // end
        #expect(read == Array(0..<100))
    }

    @Test("An input stream begins at an offset")
    func offset() throws {
        let source = DataSource([1, 2, 3, 4])
        // snippet: an offset
        let stream = SourceInputStream(source)
        _ = stream.setProperty(NSNumber(value: 2), forKey: .fileCurrentOffsetKey)
        stream.open()
        // end
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(stream.read(&buffer, maxLength: 8) == 2 && buffer.prefix(2) == [3, 4])
        stream.close()
    }
}
