import Foundation
import Testing
import ToolSupport

/// The programs of `Examples`, which are a package of their own: built into the same folder as the tests by
/// `Scripts/build-examples`.
enum Example {
    static let names = ["Generated", "FieldService", "inspect", "LiveList", "PhotoUploader"]

    /// Where they are not built these tests are skipped; on a machine of continuous integration they fail then.
    static let isWanted =
        names.allSatisfy { (try? Tool.path(of: $0)) != nil }
        || ["1", "true"].contains(ProcessInfo.processInfo.environment["CI"])
    static let absence: Comment = "The examples are not built: Scripts/build-examples"

    /// Runs a program to its end and gives what it prints.
    static func run(
        _ program: String, _ arguments: [String], in folder: String? = nil, status: Int32 = 0
    ) async throws -> String {
        let output = try await Tool.run(arguments, of: program, in: folder)
        #expect(output.status == status, "\(output.standardOutput)\(output.standardError)")
        return output.standardOutput
    }
}
