import Foundation
import Testing
import ToolSupport

/// Runs `odata attachments` on the attachments of one entity.
struct AttachmentTool {
    var source: String
    var entity: String
    /// Behind all other arguments.
    var options: [String]

    func run(_ command: String, _ arguments: String...) async throws -> Tool.Output {
        try await Tool.run(["attachments", command, source, entity] + arguments + options)
    }

    /// `valve original`
    func states() async throws -> [String] {
        let list = try await run("list")
        #expect(list.status == 0, "\(list.standardError)")
        return list.rows.map { "\($0["name"] as? String ?? "") \($0["state"] as? String ?? "")" }
    }

    /// The id of the first attachment that was printed.
    static func id(of output: Tool.Output) throws -> String {
        #expect(output.status == 0, "\(output.standardError)")
        return "\(try #require(output.rows.first?["id"] as? Int))"
    }
}

extension Scratch {
    /// Writes a file into the folder, and gives its path.
    func write(_ text: String, _ name: String) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}
