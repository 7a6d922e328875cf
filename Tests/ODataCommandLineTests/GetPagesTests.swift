import Foundation
import HTTPTypes
import ODataService
import Synchronization
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("odata get: all pages, and files")
struct GetPagesTests {
    private func get(_ responses: [String: String], _ options: String...) async throws -> Tool.Output {
        try await RespondingService.run { request in
            guard let response = responses[request.path ?? ""] else { return .text("{}", status: .internalServerError) }
            return .text(response)
        } _: { root in
            try await Tool.run(["get", root + "Things"] + options)
        }
    }

    private static let version4 = [
        "/Things": #"{"@odata.context":"c","@odata.count":3,"value":[{"ID":1}, {"ID":2}],"@odata.nextLink":"?p=2"}"#,
        "/Things?p=2": #"{"@odata.context":"c","value":[],"@odata.nextLink":"Things?p=3"}"#,
        "/Things?p=3": #"{"@odata.context":"c","value":[{"ID":3}],"@odata.deltaLink":"Things?d=4"}"#,
    ]

    @Test("--all has the values of all pages in one document")
    func all() async throws {
        let output = try await get(Self.version4, "--format", "json", "--all")
        let values = #"[{"ID":1}, {"ID":2},{"ID":3}]"#
        #expect(
            output.standardOutput
                == #"{"@odata.context":"c","@odata.count":3,"value":\#(values),"@odata.deltaLink":"Things?d=4"}"# + "\n"
        )
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output.standardError)")
    }

    @Test(
        "Next links without end are told, with the link",
        arguments: [
            (#"{"value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Things?p=<n>"}"#, ["--format", "csv"]),
            (#"{"value":[],"@odata.nextLink":"Things?p=<n>"}"#, ["--format", "csv"]),
            (#"{"value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Things?p=<n>"}"#, ["--format", "json", "--all"]),
            (#"{"d":{"results":[{"ID":1}],"__next":"Things?p=<n>"}}"#, ["--format", "table"]),
        ])
    func endless(page: String, options: [String]) async throws {
        let number = Mutex(0)
        let output = try await RespondingService.run { _ in
            let next = number.withLock { number in
                number += 1
                return number
            }
            return .text(page.replacing("<n>", with: "\(next)"))
        } _: { root in
            try await Tool.run(["get", root + "Things"] + options)
        }
        #expect(output.status == 1)
        #expect(output.standardError.contains("without end") && output.standardError.contains("/Things?p="))
        #expect(number.withLock { $0 } <= 110)
    }

    @Test("A link of blanks is not a link", arguments: ["", "   ", "\\t"])
    func blankLink(link: String) async throws {
        for page in [
            #"{"value":[{"ID":1}],"@odata.nextLink":"\#(link)"}"#, #"{"d":{"results":[{"ID":1}],"__next":"\#(link)"}}"#,
        ] {
            let output = try await get(["/Things": page], "--format", "csv")
            #expect(output.standardOutput == "ID\r\n1\r\n" && output.status == 0, "\(output.standardError)")
        }
    }

    @Test("--all unwraps the pages of version 2")
    func allBefore4() async throws {
        let output = try await get(
            [
                "/Things": #"{"d":{"results":[{"ID":1}],"__next":"Things?p=2"}}"#,
                "/Things?p=2": #"{"d":{"results":[{"ID":2}]}}"#,
            ], "--format", "json", "--all")
        #expect(output.standardOutput == #"{"d":{"results":[{"ID":1},{"ID":2}]}}"# + "\n")
    }

    @Test("--all leaves what is not a collection as it is")
    func allOfOne() async throws {
        let output = try await get(["/Things": #"{ "ID":1 }"#], "--format", "json", "--all")
        #expect(output.standardOutput == #"{ "ID":1 }"# + "\n" && output.status == 0)
    }

    private static let pagesWithLinks: [(String, Bool)] = [
        (#"{"value":[],"@odata.nextLink":"Things?p=2"}"#, true), (#"{"d":{"results":[],"__next":"x"}}"#, true),
        (#"{"value":[{"Items@odata.nextLink":"x"}]}"#, false), (#"{"Name":"@odata.nextLink"}"#, false),
        (#"{"value":[{"@odata.nextLink":"x"}]}"#, false),
    ]

    @Test("A page that is not read is told", arguments: pagesWithLinks)
    func moreToRead(json: String, isTold: Bool) async throws {
        let output = try await get(["/Things": json], "--format", "json")
        #expect(output.standardOutput == json + "\n")
        #expect(output.standardError == (isTold ? "notice: There are more pages: --all prints them too.\n" : ""))
    }

    @Test("--output has the bytes as they came, and no file where they do not come")
    func output() async throws {
        let scratch = try Scratch()
        let file = scratch.folder + "/things.json"
        let output = try await get(Self.version4, "--output", file)
        #expect(output.status == 0 && output.standardOutput.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.version4["/Things"])
        let none = scratch.folder + "/none"
        #expect(try await get([:], "--output", none).status == 1)
        #expect(!FileManager.default.fileExists(atPath: none))
        let printed = try await get(Self.version4, "--output", "-")
        #expect(printed.standardOutput == Self.version4["/Things"])
        let both = try await get(Self.version4, "--output", "-", "--all")
        #expect(both.status == 2)
    }

    @Test("A terminal gets text, and of other bytes how many they are", arguments: [true, false])
    func binary(isText: Bool) async throws {
        let bytes: [UInt8] = isText ? Array("Größe".utf8) : [0x89, 0x50, 0x4E, 0x47, 0, 1, 2]
        let shown = try await RespondingService.run { _ in
            ServiceResponse(
                head: HTTPResponse(status: .ok, headerFields: [.contentType: "image/png"]), body: .init(bytes))
        } _: { root in
            try await PseudoTerminal(["get", root + "Photos(1)/$value"], showsOutput: true).finish()
        }
        #expect(shown.status == 0)
        #expect(shown.standardError.contains(isText ? "Größe" : "ytes of image/png that are not text: add > file"))
        #expect(!shown.standardError.contains("\u{FFFD}"))
    }

    @Test("The beginning of a text may end within a character", arguments: [("ä", true), ("a", true)])
    func beginnings(text: String, isText: Bool) {
        #expect(ByteOutput.isText(Array(text.utf8).dropLast() + []) == isText)
        #expect(!ByteOutput.isText([0xFF, 0xD8, 0xFF, 0xE0]))
        #expect(!ByteOutput.isText(Array("a\0b".utf8)))
    }
}
