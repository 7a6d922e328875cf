import ByteStreams
import ODataStores

/// A completely received stream, so that no transaction waits for a network.
enum StreamUpload: Sendable {
    /// It is to be written into its column.
    case spooled(SpooledUpload)
    /// It is in the media folder, and its column gets the reference.
    case kept(StreamReference)

    /// In bytes.
    var length: Int64 {
        switch self {
        case .spooled(let upload): upload.length
        case .kept(let reference): reference.media.length
        }
    }

    /// Identifies the content, to compare repeated requests.
    func digest() throws -> String {
        switch self {
        case .spooled(let upload): try upload.digest()
        case .kept(let reference): "\(reference.media.length)-\(reference.media.digest)"
        }
    }

    var reference: StreamReference? { if case .kept(let reference) = self { reference } else { nil } }
}

/// Receives streams.
struct StreamIntake: Sendable {
    /// In bytes.
    let limit: Int64
    /// The folder of temporary files for streams that are written into the database.
    let folder: String
    /// Nil if all streams are written into the database.
    let files: StreamFiles?

    func take(_ content: ByteContent) async throws -> StreamUpload {
        if let files, files.takesStreams { return .kept(try await files.receive(content, upTo: limit)) }
        return .spooled(try await SpooledUpload.spool(content, limit: limit, in: folder))
    }
}
