import Foundation
import OData
import Testing
import ToolSupport

@Suite("The example of an uploader", .enabled(if: Example.isWanted, Example.absence))
struct PhotoUploaderTests {
    private static let names = ["a.png", "b.jpg", "c.jpeg"]

    private func serve(_ scratch: borrowing Scratch) throws -> ServedSample {
        try ServedSample(scratch.folder + "/field.db", ["--sample", "field-service"])
    }

    /// The folder with the photos, and what is none.
    private func fill(_ scratch: borrowing Scratch, _ names: [String] = names + ["notes.txt"]) throws -> String {
        let folder = scratch.folder + "/Pictures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names { try Data(name.utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        return folder
    }

    private func options(_ root: String, _ scratch: borrowing Scratch) -> [String] {
        ["--store", scratch.store, "--service", root, "--settled", "0"]
    }

    private func uploadOnce(
        _ folder: String, to root: String, _ scratch: borrowing Scratch, status: Int32 = 0
    ) async throws -> String {
        try await Example.run("PhotoUploader", [folder, "--once"] + options(root, scratch), status: status)
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("Each photo is taken without a network, and sent once")
    func once() async throws {
        let scratch = try Scratch()
        let (empty, service) = (try fill(scratch, []), try serve(scratch))
        #expect(try await uploadOnce(empty, to: service.root, scratch) == "")
        #expect(await service.stop().status == 0)
        let folder = try fill(scratch)
        let taken = try await uploadOnce(folder, to: service.root, scratch, status: 1)
        #expect(taken == "taken a.png\ntaken b.jpg\ntaken c.jpeg\n")
        #expect(try files(folder) == ["Taken", "notes.txt"])
        #expect(try files(folder + "/Taken") == Self.names)

        let again = try serve(scratch)
        let client = try FieldClient(again.root)
        #expect(try await uploadOnce(folder, to: again.root, scratch) == "sent 6 requests, 0 wait\n")
        #expect(try await client.captions(among: Self.names) == Self.names)
        #expect(try await uploadOnce(folder, to: again.root, scratch) == "")
        // A camera begins its names anew: that is another photo.
        try Data([7]).write(to: URL(fileURLWithPath: folder + "/a.png"))
        _ = try await uploadOnce(folder, to: again.root, scratch)
        #expect(try await client.captions(among: Self.names) == ["a.png"] + Self.names)
        #expect(try files(folder + "/Taken") == ["2 a.png"] + Self.names)
        #expect(await again.stop().status == 0)
    }

    @Test("A photo that a killed uploader has taken but not moved is not sent twice")
    func leftBehind() async throws {
        let scratch = try Scratch()
        let (empty, service) = (try fill(scratch, []), try serve(scratch))
        _ = try await uploadOnce(empty, to: service.root, scratch)
        #expect(await service.stop().status == 0)
        let folder = try fill(scratch)
        _ = try await uploadOnce(folder, to: service.root, scratch, status: 1)
        try FileManager.default.moveItem(atPath: folder + "/Taken/b.jpg", toPath: folder + "/b.jpg")

        let again = try serve(scratch)
        #expect(try await uploadOnce(folder, to: again.root, scratch) == "sent 6 requests, 0 wait\n")
        #expect(try await FieldClient(again.root).captions(among: Self.names) == Self.names)
        #expect(try files(folder) == ["Taken", "notes.txt"])
        #expect(await again.stop().status == 0)
    }

    @Test("An uploader that is killed anywhere goes on where it was", arguments: 1...3)
    func killed(lines: Int) async throws {
        let scratch = try Scratch()
        let (folder, service) = (try fill(scratch), try serve(scratch))
        let uploader = try RunningTool([folder] + options(service.root, scratch), of: "PhotoUploader")
        for _ in 0..<lines { _ = uploader.nextLine() }
        uploader.send(SIGKILL)
        _ = await uploader.finish()
        _ = try await uploadOnce(folder, to: service.root, scratch)
        #expect(try await FieldClient(service.root).captions(among: Self.names) == Self.names)
        #expect(try files(folder + "/Taken") == Self.names)
        #expect(await service.stop().status == 0)
    }
}
