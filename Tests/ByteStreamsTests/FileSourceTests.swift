import ByteStreams
import Foundation
import Testing

@Suite struct FileSourceTests {
    @Test(arguments: [0, 1, 131_072, 300_001])
    func aFileIsReadWhole(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 17) }
        try await withFile(bytes) { path in
            let content = ByteContent(try FileSource(path: path))
            #expect(content.length == Int64(count))
            #expect(try await content.collect(upTo: count) == bytes)
            #expect(try await content.collect(upTo: count) == bytes)
        }
    }

    @Test func aPartOfAFileIsASourceOfItsOwn() async throws {
        try await withFile(Array(0..<100)) { path in
            let source = try FileSource(path: path, range: 10..<30)
            #expect(source.length == 20)
            #expect(try await ByteContent(source).collect(upTo: 100) == Array(10..<30))
            var tail: [UInt8] = []
            for try await chunk in try source.open(at: 15) { tail += chunk }
            #expect(tail == Array(25..<30))
        }
    }

    @Test(arguments: [0..<101, 50..<200] as [Range<Int64>])
    func aRangeOutsideTheFileIsRefused(range: Range<Int64>) async throws {
        try await withFile(Array(0..<100)) { path in
            let error = #expect(throws: ByteStreamError.self) { try FileSource(path: path, range: range) }
            #expect(error?.code == .pastEnd)
        }
    }

    @Test func aMissingFileIsToldByItsName() {
        let error = #expect(throws: ByteStreamError.self) { try FileSource(path: "/nowhere/content") }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("/nowhere/content") == true)
    }

    @Test func aFolderIsNoSource() {
        let error = #expect(throws: ByteStreamError.self) { try FileSource(path: "/") }
        #expect(error?.code == .unreadable)
    }

    @Test func aFileThatBecameShorterIsAnErrorAndNotAnEnd() async throws {
        try await withFile(Array(repeating: 7, count: 1000)) { path in
            let content = ByteContent(try FileSource(path: path))
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: ByteStreamError.self) { try await content.collect(upTo: 1000) }
            #expect(error?.code == .changed)
        }
    }
}
