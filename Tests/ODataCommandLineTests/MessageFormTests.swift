import Foundation
import HTTPTypes
import ODataService
import Testing
import ToolSupport

@testable import ODataCommandLine

/// Errors of services, and results without rows.
@Suite("Messages and headers", .timeLimit(.minutes(5)))
struct MessageFormTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Sizes" Type="Collection(S.Size)"/>
            <NavigationProperty Name="Parts" Type="Collection(S.Thing)"/></EntityType>
          <ComplexType Name="Size"><Property Name="Width" Type="Edm.Int32"/>
            <Property Name="Height" Type="Edm.Int32"/></ComplexType>
          <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/>
            <EntitySet Name="Others" EntityType="S.Thing"/><Singleton Name="Me" Type="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Runs the tool with the root of a service with metadata, which gives all other requests this response.
    private func run(
        _ arguments: [String], status: HTTPResponse.Status = .ok, _ body: String
    ) async throws -> Tool.Output {
        try await withService(status: status, body) { root in
            try await Tool.run(arguments.map { $0.replacing("ROOT/", with: root) })
        }
    }

    private func withService<Result>(
        status: HTTPResponse.Status = .ok, _ body: String, _ work: (String) async throws -> Result
    ) async throws -> Result {
        try await RespondingService.run { request in
            request.path?.hasSuffix("$metadata") == true
                ? .text(Self.metadata, type: "application/xml") : .text(body, status: status)
        } _: { root in
            try await work(root)
        }
    }

    private static let codes: [(String, String)] = [
        (#"{"error":{"code":"","message":"No."}}"#, "The service returned 400 Bad Request: No."),
        (#"{"error":{"code":null,"message":"No."}}"#, "The service returned 400 Bad Request: No."),
        (#"{"error":{"message":"No."}}"#, "The service returned 400 Bad Request: No."),
        (#"{"error":{"code":"E1","message":"No."}}"#, "The service returned 400 Bad Request: No. (code E1)"),
        (#"{"error":{"code":"E1","message":""}}"#, "The service returned 400 Bad Request. (code E1)"),
        (#"{"error":{"code":"","message":""}}"#, "The service returned 400 Bad Request."),
        (
            #"{"error":{"code":7,"message":{"lang":"en","value":"No."}}}"#,
            "The service returned 400 Bad Request: No. (code 7)"
        ),
        ("{}", "The service returned 400 Bad Request."),
    ]

    @Test("An error has a code only where the service names one", arguments: codes)
    func code(body: String, line: String) async throws {
        let output = try await run(["get", "ROOT/Things"], status: .badRequest, body)
        #expect(output.standardError == "error: \(line)\n" && output.status == 1)
    }

    @Test(
        "To try again later is advice for what may work later",
        arguments: [
            (501, false), (505, false), (500, true), (503, true), (507, true),
        ])
    func later(status: Int, hasAdvice: Bool) async throws {
        for command in [["get", "ROOT/Things"], ["post", "ROOT/Things", "{}"], ["delete", "ROOT/Things(1)"]] {
            let output = try await run(command + ["--retries", "0"], status: .init(code: status), "{}")
            #expect(output.standardError.contains("again in a while") == hasAdvice, "\(output.standardError)")
        }
    }

    private static let headers: [(String, String, String)] = [
        ("Things", "$metadata#Things", "ID,Name,Tags,Sizes"), ("Things?$select=Name", "$metadata#Things(Name)", "Name"),
        ("Things(1)/Parts?$expand=Parts", "$metadata#Things(Parts())", "ID,Name,Tags,Sizes,Parts"),
        ("Things(1)/Tags", "$metadata#Things(1)/Tags", "value"),
        ("Things(1)/Sizes", "$metadata#Things(1)/Sizes", "Width,Height"),
        ("Things?$filter=ID%20gt%205", "", "ID,Name,Tags,Sizes"),
    ]

    @Test("CSV without rows has the columns of the metadata", arguments: headers)
    func header(path: String, context: String, columns: String) async throws {
        let member = context.isEmpty ? "" : #""@odata.context":"\#(context)","#
        let output = try await run(["get", "ROOT/\(path)", "-f", "csv"], "{\(member)\"value\":[]}")
        #expect(output.standardOutput == columns + "\r\n" && output.standardError.isEmpty, "\(output)")
    }

    @Test("A notice says that the metadata do not name the columns")
    func noHeader() async throws {
        let output = try await run(["get", "ROOT/Unknown", "-f", "csv"], #"{"value":[]}"#)
        #expect(output.standardOutput.isEmpty && output.status == 0)
        #expect(
            output.standardError.hasPrefix("notice: The response has no rows, and the service's metadata do not name"))
    }

    @Test("CSV of a store without rows has its header, lists have theirs")
    func storeHeaders() async throws {
        let scratch = try Scratch()
        let made = try await run(["store", "init", scratch.store, "--service", "ROOT/"], "{}")
        #expect(made.status == 0)
        #expect(made.standardError.contains("is a store of 2 entity sets; "), "\(made.standardError)")
        for (command, header) in [
            (["read", scratch.store, "Things"], "ID,Name,Tags,Sizes"),
            (["read", scratch.store, "Things?$apply=groupby((Name))"], "Name"),
            (["query", "list", scratch.store], "name,query,streams,refresh,checksStreams"),
        ] {
            let output = try await Tool.run(["store"] + command + ["-f", "csv"])
            #expect(output.standardOutput == header + "\r\n", "\(output)")
        }
    }

    @Test("The errors of all defining queries are shown, each in its line")
    func queryErrors() async throws {
        let scratch = try Scratch()
        let long = String(repeating: "long ", count: 50)
        let body = #"{"error":{"code":"E1","message":"\#(long)\nend"}}"#
        let output = try await withService(status: .badRequest, body) { root in
            _ = try await Tool.run("store", "init", scratch.store, "--service", root)
            for set in ["Things", "Others"] {
                _ = try await Tool.run("store", "query", "add", scratch.store, set.lowercased(), set)
            }
            return try await Tool.run("store", "download", scratch.store)
        }
        let lines = output.standardError.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("error: ") })
        #expect(lines[start] == "error: 2 defining queries could not be downloaded:" && output.status == 1)
        let others = lines[(start + 1)...]
        #expect(
            others.contains { $0.hasPrefix("  things: ") } && others.contains { $0.hasPrefix("  others: ") }, "\(lines)"
        )
    }
}
