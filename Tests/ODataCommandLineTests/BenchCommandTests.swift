import Foundation
import Testing
import ToolSupport

@Suite struct BenchCommandTests {
    /// The lines that the benchmark prints; its temporary files are in `scratch`.
    private func lines(_ arguments: [String], _ scratch: borrowing Scratch) async throws -> [String] {
        let output = try await Tool.run(["bench"] + arguments, environment: ["TMPDIR": scratch.folder])
        #expect(output.status == 0, "\(output.standardError)")
        return output.standardOutput.split(separator: "\n").map(String.init)
    }

    private func cells(_ line: String) -> [String] { line.split(separator: /\s{2,}/).map(String.init) }

    @Test func downloadPrintsATableOfAllContenders() async throws {
        let scratch = try Scratch()
        let lines = try await lines(["download", "--rows", "2000", "--page", "500", "--rounds", "1"], scratch)
        let names = ["contender", "seconds", "CPU s", "rows/s", "MB/s of JSON", "peak MB", "ours is"]
        #expect(cells(try #require(lines.first)) == names)
        // Without Python or curl there is no (b).
        for title in ["this package", "(a) SQLite alone", "(a') SQLite alone", "(c) JSONDecoder"] {
            let line = try #require(lines.first { $0.hasPrefix(title) }, "\(title)")
            #expect(cells(line).count == names.count && line.hasSuffix(" ×"), "\(line)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == [])
    }

    @Test(
        "Other forms and steps are measured alone",
        arguments: [
            (["--form", "sets"], 1), (["--form", "expand", "--keys", "guid"], 1), (["--form", "derived"], 1),
            (["--encrypted"], 3), (["--step", "again"], 1), (["--changes", "50", "--step", "changes"], 1),
            (["--form", "derived", "--changes", "50", "--step", "changes", "--keys", "guid"], 1),
        ])
    func forms(options: [String], contenders: Int) async throws {
        let scratch = try Scratch()
        let lines = try await lines(
            ["download", "--rows", "1000", "--page", "70", "--rounds", "1"] + options, scratch)
        // Below the names is a rule.
        #expect(lines.count > contenders + 1 && lines[2].hasPrefix("this package"), "\(lines)")
        #expect(contenders > 1 || lines.count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == [])
    }

    @Test func encryptionPrintsALineForEachPieceOfWork() async throws {
        let scratch = try Scratch()
        let lines = try await lines(["encryption", "--rows", "2000", "--megabytes", "1", "--rounds", "1"], scratch)
        let works = lines.compactMap { line in
            line.wholeMatch(of: /(.+): plain [\d.]+ s, encrypted [\d.]+ s, ratio .+/).map { String($0.1) }
        }
        #expect(
            works == [
                "2000 rows inserted, 1,000 a transaction", "index made over all rows",
                "2,000 updates, a transaction each", "scan of all rows", "20,000 reads by key, spread over the file",
                "stream of 1 MiB written", "stream of 1 MiB read", "1,000 reads of a chunk at any offset",
            ])
        #expect(works.count == lines.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == [])
    }

    @Test(arguments: [
        (["download", "--rows", "0"], "The numbers must be above zero."),
        (["download", "--rows", "10", "--form", "sets"], "--rows must be at least 20 here."),
        (["download", "--changes", "5", "--form", "sets"], "--changes needs the form plain or derived."),
        (["download", "--step", "changes"], "--step changes needs --changes."),
        (
            ["download", "--step", "again", "--changes", "1"],
            "--step again compares everything: leave --changes out."
        ),
        (["encryption", "--rows", "0"], "The numbers must be above zero."),
        (["encryption", "--rounds=-1"], "The numbers must be above zero."),
        (["encryption", "--megabytes", "0"], "--megabytes takes 1 to 4096."),
        (["encryption", "--megabytes", "9000000000000000000"], "--megabytes takes 1 to 4096."),
    ])
    func numbersThatCannotBeMeasuredAreRefused(arguments: [String], message: String) async throws {
        let output = try await Tool.run(["bench"] + arguments)
        #expect(output.status == 2)
        #expect(output.standardError.hasPrefix("error: \(message)\n"))
    }
}
