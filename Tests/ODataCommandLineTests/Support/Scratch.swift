import Foundation
import ODataTesting

/// A temporary folder with a small sample database, removed at the end.
struct Scratch: ~Copyable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "odata-tool-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var store: String { folder + "/store" }

    /// Writes the sample and gives its path.
    func sample() throws -> String {
        let path = folder + "/sample.db"
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.orders, size.equipment) = (10, 20, 30, 10)
        (size.workOrders, size.inspections, size.photos) = (20, 20, 6)
        try FieldServiceSample.create(at: path, size: size)
        return path
    }
}

/// `odata serve` on a free port.
struct ServedSample: ~Copyable {
    let running: RunningTool
    let root: String

    init(_ path: String, _ options: [String] = ["--media", "Photos=Content:image/png", "--track-changes"]) throws {
        running = try RunningTool(["serve", path, "--port", "0"] + options)
        guard let line = running.nextLine() else { throw ToolError(message: "The service did not start.") }
        root = line
    }

    func stop() async -> Tool.Output {
        running.send(SIGTERM)
        return await running.finish()
    }

    deinit { running.send(SIGKILL) }
}
