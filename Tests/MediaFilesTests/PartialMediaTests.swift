import ByteStreams
import Foundation
import MediaFiles
import Testing

@Suite("Partial media")
struct PartialMediaTests {
    let temporary: TemporaryFolder
    let folder: MediaFolder
    let origin = PartialOrigin(
        etag: "\"5\"", contentType: "text/plain", totalLength: 6,
        digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

    init() throws {
        temporary = try TemporaryFolder()
        folder = try MediaFolder(path: temporary.media)
    }

    @Test("What came stays, is hashed again, and is continued")
    func resume() async throws {
        try begin("a/b?c")
        let partial = try MediaFolder(path: temporary.media).partial(named: "a/b?c")
        #expect(partial.length == 3)
        #expect(partial.origin == origin)
        try partial.append(Array("def".utf8))
        let media = try partial.finish(expectedLength: 6)
        let whole = try await folder.write(ByteContent(Array("abcdef".utf8)))
        #expect(media == whole)
        #expect(temporary.files.count == 1)
    }

    @Test("Large bytes are hashed again in pieces")
    func resumeLarge() async throws {
        let bytes = (0..<500_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        do {
            let partial = try folder.partial(named: "x")
            try partial.restart(origin: PartialOrigin())
            try partial.append(Array(bytes[..<400_000]))
        }
        let partial = try folder.partial(named: "x")
        try partial.append(Array(bytes[400_000...]))
        let media = try partial.finish(expectedLength: nil)
        let whole = try await folder.write(ByteContent(bytes))
        #expect(media == whole)
    }

    @Test("The length is checked, and the bytes stay if it is wrong", arguments: [Int64(2), 4])
    func wrongLength(expected: Int64) throws {
        try begin("x")
        let error = #expect(throws: MediaFileError.self) {
            try folder.partial(named: "x").finish(expectedLength: expected)
        }
        #expect(error?.code == .wrongLength)
        #expect(try folder.partial(named: "x").length == 3)
    }

    @Test("The digest is checked, also of what came before, and the bytes stay if it is wrong")
    func wrongDigest() throws {
        try begin("x")
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try folder.partial(named: "x").origin?.digest == digest)
        let error = #expect(throws: MediaFileError.self) {
            try folder.partial(named: "x").finish(expectedLength: 3, expectedDigest: String(digest.reversed()))
        }
        #expect(error?.code == .wrongDigest)
        let partial = try folder.partial(named: "x")
        #expect(try partial.finish(expectedLength: 3, expectedDigest: partial.origin?.digest).digest == digest)
    }

    @Test("Only one at a time has a partial stream open")
    func busy() throws {
        let partial = try folder.partial(named: "x")
        let error = #expect(throws: MediaFileError.self) { try folder.partial(named: "x") }
        #expect(error?.code == .busy)
        try partial.discard()
    }

    @Test("Beginning anew forgets the bytes and their origin")
    func restart() throws {
        try begin("x")
        let partial = try folder.partial(named: "x")
        try partial.restart(origin: PartialOrigin(etag: "\"6\""))
        #expect(partial.length == 0)
        try partial.append([7])
        #expect(partial.origin?.etag == "\"6\"")
        #expect(try partial.finish(expectedLength: 1).length == 1)
    }

    @Test("Bytes without a readable origin have none", arguments: ["", "{", "[]"])
    func damagedOrigin(json: String) throws {
        try begin("x")
        let file = try #require(temporary.files.first { $0.hasSuffix(".json") })
        try Data(json.utf8).write(to: URL(fileURLWithPath: temporary.media + "/" + file))
        let partial = try folder.partial(named: "x")
        #expect(partial.length == 3)
        #expect(partial.origin == nil)
    }

    @Test("Discarded ones leave nothing; all but the named ones can be discarded")
    func discard() throws {
        for name in ["a", "b", "c"] { try begin(name) }
        try folder.partial(named: "a").discard()
        #expect(try folder.discardPartials(except: ["b"]) == 1)
        #expect(temporary.files.count == 2)
        #expect(try folder.partial(named: "b").length == 3)
    }

    @Test(
        "Only a strong tag can make a range conditional",
        arguments: [("\"5\"", "\"5\""), ("W/\"5\"", nil), (nil, nil)] as [(String?, String?)])
    func strongTag(etag: String?, strong: String?) {
        #expect(PartialOrigin(etag: etag).strongETag == strong)
    }

    #if os(Linux)
        @Test("A full disk is told")
        func diskFull() throws {
            try begin("x")
            let file = try #require(temporary.files.first { !$0.hasSuffix(".json") })
            try FileManager.default.removeItem(atPath: temporary.media + "/" + file)
            try FileManager.default.createSymbolicLink(
                atPath: temporary.media + "/" + file, withDestinationPath: "/dev/full")
            let error = #expect(throws: MediaFileError.self) { try folder.partial(named: "x").append([1]) }
            #expect(error?.code == .diskFull)
            #expect(error?.message.hasSuffix("No space left on device.") == true)
        }
    #endif

    private func begin(_ name: String) throws {
        let partial = try folder.partial(named: name)
        try partial.restart(origin: origin)
        try partial.append(Array("abc".utf8))
    }
}
