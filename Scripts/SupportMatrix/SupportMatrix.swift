import Foundation

/// Writes the documents whose rows name the tests that show them, or checks that they are as it would write them.
@main
struct SupportMatrix {
    static let sources = "Documentation/Rows"

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.isEmpty || arguments == ["--check"] || arguments == ["--list"] else {
            print("usage: Scripts/support-matrix [--check | --list]")
            exit(2)
        }
        let tests = TestNames(folder: "Tests")
        if arguments == ["--list"] { return list(tests) }
        let documents = try documents()
        let check = SupportCheck(tests: tests)
        var problems = tests.problems + documents.flatMap(check.problems)
        let writer = SupportText(tests: tests, documents: documents)
        for document in documents where problems.isEmpty || arguments == ["--check"] {
            problems += try finish(document.name, writer.text(document), isCheck: arguments == ["--check"])
        }
        for problem in problems { print(problem) }
        if problems.isEmpty { print("\(documents.flatMap(\.rows).count) rows name tests that are there.") }
        exit(problems.isEmpty ? 0 : 1)
    }

    private static func documents() throws -> [SupportRows] {
        try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".txt") }.sorted().map {
            SupportRows(
                name: String($0.dropLast(4)), text: try String(contentsOfFile: "\(sources)/\($0)", encoding: .utf8))
        }
    }

    private static func finish(_ name: String, _ text: String, isCheck: Bool) throws -> [String] {
        let path = "Documentation/\(name).md"
        guard isCheck else {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return []
        }
        let isSame = (try? String(contentsOfFile: path, encoding: .utf8)) == text
        return isSame ? [] : ["\(path) is not what Scripts/support-matrix writes: run it."]
    }

    private static func list(_ tests: TestNames) {
        for (suite, functions) in tests.suites.sorted(by: { $0.key < $1.key }) {
            for (function, display) in functions.sorted(by: { $0.key < $1.key }) {
                print(display.isEmpty ? "\(suite)/\(function)" : "\(suite)/\(function)  \(display)")
            }
        }
    }
}
