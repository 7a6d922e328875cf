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
}
