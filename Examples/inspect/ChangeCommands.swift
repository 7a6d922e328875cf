import ArgumentParser
import Inspection
import PhotoFiles

struct NoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Note what an inspection has shown.",
        discussion: "EXAMPLE: inspect note 7031 failed --remarks 'Seal is worn'")

    @OptionGroup var place: Place

    @Argument(help: "The number of the inspection.")
    var inspection: Int64

    @Argument(help: "passed, failed, …")
    var result: String

    @Option(help: "What else there is to say.")
    var remarks: String?

    func run() async throws {
        try await place.changing { work in
            try await work.note(result, remarks: remarks, of: work.inspection(inspection))
            print("\(try await work.waiting().count) requests wait")
        }
    }
}

struct PhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Add a photo to an inspection.",
        discussion: "EXAMPLE: inspect photo 7031 seal.jpg --caption 'Worn seal'")

    @OptionGroup var place: Place

    @Argument(help: "The number of the inspection.")
    var inspection: Int64

    @Argument(help: "A file: .jpg, .png or .heic.")
    var file: String

    @Option(help: "What it shows; otherwise the name of the file.")
    var caption: String?

    func run() async throws {
        guard let photo = PhotoFile(path: file) else { throw ValidationError("\(file) is not a photo.") }
        try await place.changing { work in
            let id = try await work.add(photo, caption: caption ?? photo.name, to: work.inspection(inspection))
            print("\(id) is on this device; \(try await work.waiting().count) requests wait")
        }
    }
}
