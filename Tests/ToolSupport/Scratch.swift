import Foundation
import ODataTesting

/// A temporary folder with a small sample database, removed at the end.
package struct Scratch: ~Copyable {
    package let folder: String

    package init() throws {
        folder = NSTemporaryDirectory() + "odata-tool-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package var store: String { folder + "/store" }

    /// Writes the sample and gives its path.
    ///
    /// - Parameter photos: How many there are, from 9000 on.
    package func sample(photos: Int = 6) throws -> String {
        let path = folder + "/sample.db"
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.orders, size.equipment) = (10, 20, 30, 10)
        (size.workOrders, size.inspections, size.photos) = (20, 20, photos)
        try FieldServiceSample.create(at: path, size: size)
        return path
    }
}

/// `odata serve` on a free port.
package final class ServedSample: Sendable {
    package let running: RunningTool
    package let root: String

    package init(
        _ path: String, _ options: [String] = ["--media", "Photos=Content:image/png", "--track-changes"]
    ) throws {
        let process = try RunningTool(["serve", path, "--port", "0"] + options)
        let line = process.nextLine()
        (running, root) = (process, line ?? "")
        guard line != nil else { throw ToolError(message: "The service did not start.") }
    }

    package func stop() async -> Tool.Output {
        running.send(SIGTERM)
        return await running.finish()
    }

    deinit { running.send(SIGKILL) }
}
