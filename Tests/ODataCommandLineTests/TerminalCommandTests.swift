import Foundation
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("The tool on a terminal", .timeLimit(.minutes(5)))
struct TerminalCommandTests {
    private func download(_ scratch: borrowing Scratch, from service: HeldService) async throws -> [String] {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", service.root).status == 0)
        let add = ["store", "query", "add", scratch.store, "photos", "Photos", "--streams"]
        #expect(try await Tool.run(add).status == 0)
        return ["store", "download", scratch.store]
    }

    @Test("A download has a line for all streams and a bar for one on its way, and takes them away")
    func progress() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(try scratch.sample(), holding: "Photos(9000)/$value")
        let arguments = try await download(scratch, from: service)
        let terminal = try PseudoTerminal(arguments, columns: 60)
        // The half that has come, or the other streams, make a mark while it waits.
        for text in ["Photos(9000)", " of 6 streams", "[#"] {
            #expect(await terminal.read(until: text).contains(text))
        }
        service.goOn()
        let output = await terminal.finish()
        #expect(output.status == 0)
        #expect(output.standardOutput.isEmpty)
        let text = output.standardError
        #expect(text.contains("\u{1B}[J1 query, 6 entities, 6 streams"), "\(text)")
        let drawn = text.replacing(try Regex("\u{1B}\\[[0-9]*[A-Za-z]"), with: "")
        #expect(drawn.split(whereSeparator: \.isNewline).allSatisfy { $0.columns < 60 || $0.contains("query,") })
        try await service.stop()
    }

    @Test(
        "Without a terminal, or with one that cannot move its cursor, there are plain lines", arguments: [true, false])
    func plainLines(isDumb: Bool) async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(try scratch.sample(), holding: "nothing")
        let arguments = try await download(scratch, from: service)
        let output =
            isDumb
            ? try await PseudoTerminal(arguments, environment: ["TERM": "dumb"]).finish()
            : try await Tool.run(arguments)
        #expect(output.status == 0)
        let lines = output.standardError.split(whereSeparator: \.isNewline).map(String.init)
        // There may be more of them where the machine is slow.
        #expect(lines.contains("photos: 6 entities"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("streams: 6 of 6, ") }, "\(lines)")
        #expect(lines.last?.hasPrefix("1 query, 6 entities, 6 streams") ?? false, "\(lines)")
        #expect(!output.standardError.contains("\u{1B}"))
        try await service.stop()
    }

    /// A store with products, and what reads them as a table.
    private func table(_ scratch: borrowing Scratch) async throws -> [String] {
        let served = try ServedSample(try scratch.sample())
        #expect(try await Tool.run("store", "init", scratch.store, "--service", served.root).status == 0)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "all", "BusinessPartners").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        return ["store", "read", scratch.store, "BusinessPartners", "--format", "table"]
    }

    @Test("A table is as wide as the terminal, and as its values elsewhere")
    func width() async throws {
        let scratch = try Scratch()
        let arguments = try await table(scratch)
        let all = try await Tool.run(arguments).standardOutput
        #expect(all.split(separator: "\n").contains { $0.columns > 40 })
        #expect(!all.contains("…") && !all.contains("\u{1B}"))
        for (columns, environment) in [(40, [:]), (200, ["COLUMNS": "40"])] {
            let terminal = try PseudoTerminal(
                arguments, columns: columns, showsOutput: true,
                environment: ["NO_COLOR": "1"].merging(environment) { $1 })
            let lines = await terminal.finish().standardError.split(whereSeparator: \.isNewline)
            #expect(lines.contains { $0.contains("…") })
            #expect(lines.allSatisfy { $0.columns <= 40 || $0.hasPrefix("notice: ") }, "\(lines)")
        }
    }

    @Test("The queue shows what tells its requests apart at 80 columns, and nothing that is empty")
    func queue() async throws {
        let scratch = try Scratch()
        let arguments = try await table(scratch)
        #expect(arguments.contains(scratch.store))
        let partners = try await Tool.run("store", "read", scratch.store, "BusinessPartners?$top=2").rows
        let entities = partners.compactMap { $0["BusinessPartnerID"] as? Int }.map { "BusinessPartners(\($0))" }
        for entity in entities {
            #expect(try await Tool.run("store", "delete", scratch.store, entity).status == 0)
        }
        let terminal = try PseudoTerminal(
            ["store", "queue", scratch.store], showsOutput: true, environment: ["NO_COLOR": "1"])
        let lines = await terminal.finish().standardError.split(whereSeparator: \.isNewline)
        #expect(lines.count == 5 && entities.count == 2, "\(lines)")
        #expect(lines.first?.contains("entity") == true && lines.first?.contains("changeSet") == false)
        for entity in entities {
            #expect(lines.contains { $0.contains("DELETE") && $0.contains(entity.suffix(6)) }, "\(lines)")
        }
        #expect(lines.last == "notice: Left out, as all is null: changeSet, category.", "\(lines)")
    }

    @Test("Metadata have their keys bold on a terminal, the status is a table there")
    func metadataAndStatus() async throws {
        let scratch = try Scratch()
        _ = try await table(scratch)
        let metadata = try await PseudoTerminal(["metadata", scratch.store], showsOutput: true).finish()
        #expect(metadata.status == 0)
        #expect(metadata.standardError.contains(" key\u{1B}[0m"), "\(metadata.standardError.prefix(500))")
        let shown = ["store", "status", scratch.store]
        let status = try await PseudoTerminal(shown, columns: 60, showsOutput: true).finish()
        let lines = status.standardError.split(whereSeparator: \.isNewline)
        #expect(lines.dropFirst(2).first?.hasPrefix("service  ") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("last upload") && $0.hasSuffix("\u{1B}[2mnull\u{1B}[0m") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("entities of BusinessPartners") && $0.hasSuffix(" 10") }, "\(lines)")
    }

    @Test("Colours are on a terminal only, and not with NO_COLOR")
    func colours() async throws {
        let missing = ["store", "read", "/nonexistent-store", "Products"]
        let red = try await PseudoTerminal(missing).finish()
        #expect(red.status == 1)
        #expect(red.standardError.hasPrefix("\u{1B}[31merror:\u{1B}[0m /nonexistent-store is not a store."))
        let plain = try await PseudoTerminal(missing, environment: ["NO_COLOR": "1"]).finish()
        #expect(plain.standardError.hasPrefix("error: "))
        #expect(try await Tool.run(missing).standardError.hasPrefix("error: "))
    }
}
