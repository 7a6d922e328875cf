import Foundation
import HTTPTypes
import ODataService
import ODataTransport
import Synchronization
import Testing

/// A published file that takes uploads in several requests, and the requests for that.
final class UploadDesk {
    /// What another program would see of a stream of ten bytes.
    static let bytes = "0123456789"
    let file: PublishedFile
    private let time: UploadTime

    init(
        hasMediaFolder: Bool = false, limits: ServiceLimits = ServiceLimits(), streamLimit: Int64? = nil,
        repeatabilityLifetime: Int64 = 90 * 86_400
    ) throws {
        let time = UploadTime()
        self.time = time
        file = try PublishedFile(
            limits: limits, hasMediaFolder: hasMediaFolder,
            configureStore: {
                $0.now = { time.now }
                $0.streamLimit = streamLimit
                $0.repeatabilityLifetime = repeatabilityLifetime
            })
    }

    /// The clock of the store goes on by so many seconds.
    func wait(_ seconds: Int64) { time.wait(seconds) }

    /// The uploads of which there are files.
    var files: Set<String> {
        let names = ["media/uploads", "shop.db-uploads"].flatMap { name in
            (try? FileManager.default.contentsOfDirectory(atPath: file.folder.appendingPathComponent(name).path)) ?? []
        }
        return Set(names.map { $0.hasSuffix(".pieces") ? String($0.dropLast(7)) : $0 })
    }

    /// Begins an upload with the first part of a stream; gives its URL below the service root.
    func begin(_ target: String, _ part: String = "", headers: String...) async throws -> String {
        let fields = ["Content-Type: image/png", "Upload-Complete: ?0"] + headers
        let text = "\(target)\n\(fields.joined(separator: "\n"))" + (part.isEmpty ? "" : "\n\n\(part)")
        let response = await file.text.response(text)
        #expect(response.head.status == .created, "\(text)")
        #expect(response.head.headerFields[.uploadLimit] != nil)
        let location = try #require(response.head.headerFields[.location])
        #expect(location.hasPrefix(RequestText.root) && location.contains("/$uploads/"))
        return String(location.dropFirst(RequestText.root.count))
    }

    func append(
        _ part: String, at offset: Int, of url: String, isLast: Bool = false, headers: String = "",
        showing names: [String] = ["Upload-Complete"]
    ) async throws -> String {
        let fields = "Upload-Offset: \(offset)\nUpload-Complete: ?\(isLast ? 1 : 0)"
        return try await file.responseText(
            "PATCH \(url)\nContent-Type: application/partial-upload\n\(fields)\(headers.isEmpty ? "" : "\n\(headers)")"
                + (part.isEmpty ? "" : "\n\n\(part)"), showing: names)
    }

    /// `204 4 ?0 10`: the status of HEAD, the offset, whether that is all, and the whole length.
    func state(of url: String) async throws -> String {
        try await file.responseText("HEAD \(url)", showing: ["Upload-Offset", "Upload-Complete", "Upload-Length"])
            .split(separator: "\n").map { String($0.split(separator: " ").last ?? "") }.joined(separator: " ")
    }

    func content(_ path: String) async throws -> String { try await file.responseText("GET \(path)") }
}

private final class UploadTime: Sendable {
    private let seconds = Mutex<Int64>(1_700_000_000)

    var now: Int64 { seconds.withLock { $0 } }

    func wait(_ count: Int64) { seconds.withLock { $0 += count } }
}
