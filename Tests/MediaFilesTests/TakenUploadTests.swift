import ByteStreams
import Foundation
import MediaFiles
import Testing

@Suite("Uploads that a media folder takes over")
struct TakenUploadTests {
    private let temporary: TemporaryFolder
    private let folder: MediaFolder
    private let uploads: UploadFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try MediaFolder(path: temporary.media)
        uploads = UploadFolder(path: temporary.media + "/uploads")
    }

    @Test("The file gets a second name, and is not written again")
    func second() async throws {
        let media = try await take(upload(of: [1, 2, 3]))
        let path = "\(temporary.media)/\(media.digest.prefix(2))/\(media.digest)"
        #expect(try number(of: path) == number(of: temporary.media + "/uploads/a"))
        #expect(try await content(of: media) == [1, 2, 3])
        try uploads.remove("a")
        #expect(temporary.files == ["\(media.digest.prefix(2))/\(media.digest)"])
        #expect(try await content(of: media) == [1, 2, 3])
    }

    @Test("What is appended after that is not in the stream")
    func apart() async throws {
        let media = try await take(upload(of: [1, 2, 3]))
        var file = try uploads.open("a")
        try await file.append([4])
        try file.synchronise()
        #expect(uploads.length("a") == 4)
        #expect(try uploads.names() == ["a"])
        #expect(try await content(of: media) == [1, 2, 3])
        #expect(try await ByteContent(uploads.source("a", length: 4)).collect(upTo: 9) == [1, 2, 3, 4])
    }

    @Test("An end that brings nothing, once more, copies nothing")
    func end() async throws {
        let media = try await take(upload(of: [1, 2, 3]))
        var file = try uploads.open("a")
        try await file.truncate(to: 3)
        try await file.append([])
        let path = "\(temporary.media)/\(media.digest.prefix(2))/\(media.digest)"
        #expect(try number(of: path) == number(of: temporary.media + "/uploads/a"))
        try await file.truncate(to: 2)
        #expect(try number(of: path) != number(of: temporary.media + "/uploads/a"))
        #expect(uploads.length("a") == 2)
        #expect(try await content(of: media) == [1, 2, 3])
    }

    @Test("A copy that is cancelled leaves nothing, and the file as it is")
    func cancelled() async throws {
        let media = try await take(upload(of: [1, 2, 3]))
        let opened = try uploads.open("a")
        let copying = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var file = opened
            try await file.append([4])
        }
        await #expect(throws: CancellationError.self) { try await copying.value }
        #expect(try uploads.names() == ["a"])
        #expect(uploads.length("a") == 3)
        #expect(try await content(of: media) == [1, 2, 3])
    }

    @Test("The copy that a crash has left goes with the file")
    func abandoned() async throws {
        _ = try await upload(of: [1, 2, 3])
        try Data([1]).write(to: URL(fileURLWithPath: temporary.media + "/uploads/a.copy"))
        #expect(try uploads.names() == ["a", "a.copy"])
        try uploads.remove("a")
        #expect(try uploads.names().isEmpty)
    }

    @Test("What is taken over twice leaves no second name")
    func twice() async throws {
        let source = try await upload(of: [1, 2, 3])
        let media = try await take(source)
        #expect(try await take(source) == media)
        #expect(temporary.files == ["\(media.digest.prefix(2))/\(media.digest)", "uploads/a", "uploads/a.pieces"])
    }

    @Test("A file with more than the upload is copied")
    func longer() async throws {
        _ = try await upload(of: [1, 2, 3])
        let media = try await take(uploads.source("a", length: 2))
        #expect(try await content(of: media) == [1, 2])
        #expect(uploads.length("a") == 3)
    }

    @Test("A stream that is too long, or not taken in the end, leaves nothing")
    func nothing() async throws {
        let source = try await upload(of: [1, 2, 3])
        let error = await #expect(throws: ByteStreamError.self) {
            try await folder.receive(ByteContent(source), upTo: 2)
        }
        #expect(error?.code == .tooLong)
        #expect(try await folder.receive(ByteContent(source)).media.length == 3)
        #expect(temporary.files == ["uploads/a", "uploads/a.pieces"])
    }

    @Test("An upload that is being continued is copied, as it was asked for")
    func busy() async throws {
        let source = try await upload(of: [1, 2, 3])
        var file = try uploads.open("a")
        let media = try await take(source)
        #expect(try await content(of: media) == [1, 2, 3])
        try await file.append([4])
        #expect(try await content(of: media) == [1, 2, 3])
    }

    private func upload(of bytes: [UInt8]) async throws -> any ByteSource {
        var file = try uploads.open("a")
        try await file.append(bytes)
        try file.synchronise()
        return try uploads.source("a", length: Int64(bytes.count))
    }

    private func take(_ source: any ByteSource) async throws -> StoredMedia {
        try await folder.write(ByteContent(source))
    }

    private func content(of media: StoredMedia) async throws -> [UInt8] {
        try await ByteContent(folder.source(digest: media.digest)).collect(upTo: 9)
    }

    private func number(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
}
