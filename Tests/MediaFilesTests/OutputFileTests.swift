import ByteStreams
import Foundation
import MediaFiles
import Testing

@Suite("Files of the app")
struct OutputFileTests {
    private actor Turns {
        private var taken = 0

        func next() -> Int {
            taken += 1
            return taken
        }
    }

    @Test("What a killed process has left goes with the next write; what somebody is writing stays")
    func abandoned() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/photo.jpg"
        for name in ["photo.jpg.part-1-2", "photo.jpg.part-x-2", "other.jpg.part-1-2"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(temporary.path)/\(name)"))
        }
        let turns = Turns()
        let chunks = ByteChunks {
            switch await turns.next() {
            case 1: return [1]
            case 2:
                try await OutputFile.write(ByteContent([2]).chunks(), to: path)
                return [3]
            default: return nil
            }
        }
        try await OutputFile.write(chunks, to: path)
        #expect(FileManager.default.contents(atPath: path) == Data([1, 3]))
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
        #expect(names == ["other.jpg.part-1-2", "photo.jpg", "photo.jpg.part-x-2"])
    }

    @Test("A pipe is written into and stays, also when the bytes break off; a folder is refused")
    func pipe() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        // Who reads comes first: opening a pipe to write waits for that.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        try await OutputFile.write(ByteContent([1, 2, 3]).chunks(), to: path)
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(reader, &bytes, 8)
        #expect(count == 3 && bytes.prefix(3) == [1, 2, 3])
        let broken = ByteChunks { throw ByteStreamError(.changed, "Other bytes.") }
        await #expect(throws: ByteStreamError.self) { try await OutputFile.write(broken, to: path) }
        await #expect(throws: MediaFileError.self) {
            try await OutputFile.write(ByteContent([1]).chunks(), to: temporary.path)
        }
        let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["pipe"])
    }

    @Test("An open file is written on with, whatever others write there")
    func descriptor() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/all.bin"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_WRONLY | O_APPEND)
        try #require(file >= 0)
        defer { close(file) }
        try await OutputFile.write(ByteContent([2, 3]).chunks(), to: "/dev/fd/\(file)")
        #expect(write(file, [4] as [UInt8], 1) == 1)
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3, 4]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["all.bin"])
        let error = await #expect(throws: MediaFileError.self) {
            try await OutputFile.write(ByteContent([1]).chunks(), to: "/dev/fd/999999")
        }
        #expect(error?.message.contains("/dev/fd/999999") == true)
    }

    @Test("A link stays and leads to its file; nothing is written where it leads nowhere")
    func link() async throws {
        let temporary = try TemporaryFolder()
        let (file, link) = (temporary.path + "/photo.jpg", temporary.path + "/link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "photo.jpg")
        let error = await #expect(throws: MediaFileError.self) {
            try await OutputFile.write(ByteContent([1]).chunks(), to: link)
        }
        #expect(error?.code == .notFound)
        try Data([2]).write(to: URL(fileURLWithPath: file))
        try await OutputFile.write(ByteContent([3, 4]).chunks(), to: link)
        #expect(FileManager.default.contents(atPath: file) == Data([3, 4]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "photo.jpg")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == ["link", "photo.jpg"])
    }
}
