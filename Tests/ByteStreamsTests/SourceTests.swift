import Foundation
import Testing

@testable import ByteStreams

@Suite struct SourceTests {
    private static let sizes = [0, 1, 131_071, 131_072, 131_073, 300_001]

    @Test(arguments: SourceKind.allCases, sizes)
    func everyOffsetGivesTheRest(kind: SourceKind, size: Int) async throws {
        let bytes = pattern(size)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            #expect(source.length == (kind.knowsLength ? Int64(size) : nil))
            for offset in Set([0, 1, size / 2, size - 1, size, 131_072]) where (0...size).contains(offset) {
                var read: [UInt8] = []
                for try await chunk in try source.open(at: Int64(offset)) {
                    #expect(!chunk.isEmpty)
                    read += chunk
                }
                #expect(read == Array(bytes[offset...]), "from \(offset)")
            }
        }
    }

    @Test(arguments: SourceKind.allCases)
    func aThreadReadsWhatNeedsNoTask(kind: SourceKind) async throws {
        let bytes = pattern(300_001)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            #expect((source.blocking != nil) == kind.isBlocking)
            guard let blocking = source.blocking else { return }
            for offset in [0, 149_999, 300_001] {
                let reader = try blocking.openBlocking(at: Int64(offset))
                var read: [UInt8] = []
                var isAtEnd = false
                while !isAtEnd {
                    let chunk = try [UInt8](unsafeUninitializedCapacity: 70_000) { buffer, count in
                        count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
                    }
                    read += chunk
                    isAtEnd = chunk.isEmpty
                }
                #expect(read == Array(bytes[offset...]), "from \(offset)")
            }
        }
    }

    @Test(arguments: SourceKind.allCases, [-1, 11] as [Int64])
    func anOffsetOutsideIsRefused(kind: SourceKind, offset: Int64) async throws {
        let bytes = pattern(10)
        try await withFile(bytes) { file in
            let source = try kind.source(bytes, file: file)
            let error = await #expect(throws: ByteStreamError.self) {
                for try await _ in try source.open(at: offset) {}
            }
            #expect(error?.code == .pastEnd)
            if let blocking = source.blocking {
                let error = #expect(throws: ByteStreamError.self) { try blocking.openBlocking(at: offset) }
                #expect(error?.code == .pastEnd)
            }
        }
    }

    @Test(arguments: [-1..<5, 5..<11] as [Range<Int64>])
    func aRangeOutsideTheSourceIsRefused(range: Range<Int64>) {
        let error = #expect(throws: ByteStreamError.self) { try SliceSource(DataSource(pattern(10)), range: range) }
        #expect(error?.code == .pastEnd)
    }

    @Test func aSliceOfASourceThatEndsTooEarlyIsAnErrorAndNotAnEnd() async throws {
        let short = SequenceSource { _ in AsyncStream<[UInt8]> { $0.finish() } }
        let slice = try SliceSource(short, range: 0..<10)
        let error = await #expect(throws: ByteStreamError.self) {
            try await ByteContent(slice).collect(upTo: 10)
        }
        #expect(error?.code == .changed)
    }

    @Test func aPipeIsNoSource() {
        let error = #expect(throws: ByteStreamError.self) { try HandleSource(Pipe().fileHandleForReading) }
        #expect(error?.code == .unreadable)
    }

    @Test func aHandleKeepsItsPlaceWhileASourceIsReadFromIt() async throws {
        try await withFile(pattern(100)) { file in
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            try handle.seek(toOffset: 40)
            let source = try HandleSource(handle, range: 10..<30)
            #expect(try await ByteContent(source).collect(upTo: 100) == Array(pattern(100)[10..<30]))
            #expect(try handle.offset() == 40)
            try FileManager.default.removeItem(atPath: file)
            try handle.close()
            #expect(try await ByteContent(source).collect(upTo: 100) == Array(pattern(100)[10..<30]))
        }
    }

    @Test(arguments: [SourceKind.file, .partOfFile, .handle, .joinedFiles])
    func aSourceTellsThatItIsNotWhatItWas(kind: SourceKind) async throws {
        try await withFile(pattern(100)) { file in
            let source = try kind.source(pattern(100), file: file)
            let identity = try source.identity()
            #expect(identity != nil)
            #expect(try source.identity() == identity)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
            try handle.truncate(atOffset: 200)
            try handle.close()
            let error = #expect(throws: ByteStreamError.self) { try source.identity() }
            #expect(error?.code == .changed)
        }
    }

    @Test func theIdentityOfAFileIsThatOfItsNode() async throws {
        try await withFile(pattern(10)) { file in
            let identity = try FileSource(path: file).identity()
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(identity?.size == 10)
            #expect(identity?.file == (attributes[.systemFileNumber] as? NSNumber)?.uint64Value)
            let time = try #require(attributes[.modificationDate] as? Date)
            #expect(identity?.modified.map { $0 / 1_000_000_000 } == Int64(time.timeIntervalSince1970.rounded(.down)))
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test func whatIsKnownOfTheBytesGoesWithThem() throws {
        var source = DataSource(pattern(3))
        #expect(source.contentType == nil && source.digest == nil)
        source.contentType = "image/png"
        source.digest = SourceDigest(algorithm: "sha-256", hexadecimal: "00fF")
        #expect(source.digest == SourceDigest(algorithm: "sha-256", bytes: [0, 255]))
        #expect(SourceDigest(algorithm: "sha-256", hexadecimal: "0x") == nil)
        #expect(SourceDigest(algorithm: "sha-256", hexadecimal: "000") == nil)
    }
}
