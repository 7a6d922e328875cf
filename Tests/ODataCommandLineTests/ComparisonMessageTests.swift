import Foundation
import Testing
import ToolSupport

/// What the compiler says of comparisons of different types.
@Suite("Messages of the compiler for comparisons of different types")
struct ComparisonMessageTests {
    private static let cases = [
        (#"$0.priority == "1""#, "The left side is a number, the right side a String"),
        (#"$0.priority != "1""#, "The left side is a number, the right side a String"),
        (#"$0.priority > "1""#, "The left side is a number, the right side a String"),
        (#"$0.priority < "1""#, "The left side is a number, the right side a String"),
        ("$0.name == 1", "The left side is a String, the right side a number"),
        ("$0.name != 1", "The left side is a String, the right side a number"),
        (#"$0.at > "2026-01-01T00:00:00Z""#, "The left side is an EdmDateTimeOffset, the right side a String"),
        (#"$0.at < "2026-01-01T00:00:00Z""#, "The left side is an EdmDateTimeOffset, the right side a String"),
        (#"$0.key == "01234567-89ab-cdef-0123-456789abcdef""#, "The left side is an EdmGuid, the right side a String"),
        (#"$0.isOpen == "true""#, "is compared with a Wrapped"),
        (#"$0.day >= "2026-01-01""#, "is compared with a Wrapped"),
    ]

    private static func source(_ condition: String) -> String {
        """
        import OData

        struct Fields {
            let priority: QueryOperand<Int32>
            let name: QueryOperand<String>
            let at: QueryOperand<EdmDateTimeOffset>
            let key: QueryOperand<EdmGuid>
            let isOpen: QueryOperand<Bool>
            let day: QueryOperand<EdmDate>
        }

        func condition(_ body: (Fields) -> QueryCondition) {}

        func compare() { condition { \(condition) } }
        """
    }

    private static func output(_ condition: String, in folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try source(condition).write(toFile: folder + "/Compare.swift", atomically: true, encoding: .utf8)
        return try SwiftCompiler.check(folder)
    }

    @Test("They say what to write", arguments: cases)
    func refused(condition: String, message: String) throws {
        let scratch = try Scratch()
        let output = try Self.output(condition, in: scratch.folder + "/Source")
        #expect(output.contains("error: ") && output.contains(message), "\(output)")
    }

    @Test(
        "Comparisons of one type compile",
        arguments: ["$0.priority == 1", #"$0.name == "1""#, "$0.isOpen == true", "$0.at > EdmDateTimeOffset.now"])
    func accepted(condition: String) throws {
        let scratch = try Scratch()
        #expect(try Self.output(condition, in: scratch.folder + "/Source") == "")
    }
}
