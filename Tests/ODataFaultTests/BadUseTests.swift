import Foundation
import HTTPTypes
import OData
import ODataServer
import ODataService
import Testing
import ToolSupport

@Suite("The tool tells what is wrong and leaves things as they are")
struct BadUseTests {
    @Test("Unknown names, keys of the wrong type and bad values are told with their place")
    func queries() async throws {
        let site = try await Site()
        try await site.prepare()
        try await site.run("download")
        let cases: [([String], [String])] = [
            (["read", "Nothing"], ["Nothing", "position 0"]),
            (["read", "Product"], ["Product", "position 0", "Products"]),
            (["read", "Products?$filter=Nothing eq 1"], ["Nothing", "position 17"]),
            (["read", "Products?$orderby=Price,Nothing"], ["Nothing", "position 24"]),
            (["read", "Products?$expand=Nothing"], ["Nothing", "position 17"]),
            (["read", "SalesOrders('x')"], ["SalesOrderID", "position 12"]),
            (["read", "Equipment(5)"], ["EquipmentID", "position 10"]),
            (["read", "Products?$filter=Price eq 'x'"], ["Edm.Decimal", "position 23"]),
            (["query", "add", "broken", "Products?$filter=Nothing eq 1"], ["Nothing", "position 17"]),
            (["update", "Products('P-0001')", #"{"Price":"much"}"#], ["Price"]),
            (["update", "Products('P-0001')", #"{"Nothing":1}"#], ["Nothing"]),
            (["create", "SalesOrders", #"{"BusinessPartnerID":100"#], ["24"]),
            (["delete", "SalesOrders('x')"], ["SalesOrderID"]),
        ]
        for (arguments, texts) in cases {
            let parts = arguments.first == "query" ? 2 : 1
            let command = ["store"] + arguments.prefix(parts) + [site.store] + arguments.dropFirst(parts)
            let output = try await Tool.run(command)
            #expect(output.status == 1, "\(arguments): \(output.standardError)")
            #expect(output.standardOutput.isEmpty)
            for text in texts { #expect(output.standardError.contains(text), "\(arguments): \(output.standardError)") }
        }
        try await KillRun(site: site, phase: .change).compare()
        try await site.stop()
    }

    @Test("A store that is open is only looked into by a second process")
    func secondProcess() async throws {
        let site = try await Site()
        try await site.prepare()
        try await site.open { store in
            for command in [["download"], ["upload"], ["clear"], ["delete", "Products(1)"]] {
                let output = try await Tool.run(["store", command[0], site.store] + command.dropFirst())
                #expect(output.status == 1)
                #expect(output.standardError.contains("open already"), "\(output.standardError)")
            }
            try await store.download()
            for command in [
                ["status"], ["queue"], ["errors"], ["read", "Products"], ["read", "Products", "--explain"],
            ] {
                let output = try await Tool.run(["store", command[0], site.store] + command.dropFirst())
                #expect(output.status == 0, "\(command): \(output.standardError)")
            }
        }
        try await KillRun(site: site, phase: .change).compare()
        try await site.stop()
    }

    @Test("A folder that is something else stays what it is")
    func somethingElse() async throws {
        let site = try await Site()
        let folder = site.path("letters")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("Dear".utf8).write(to: URL(fileURLWithPath: folder + "/letter.txt"))
        for arguments in [
            ["status", folder], ["download", folder], ["read", folder, "Products"],
            ["init", folder, "--service", site.server.rootURL],
            ["init", folder + "/letter.txt", "--service", site.server.rootURL],
        ] {
            let output = try await Tool.run(["store"] + arguments)
            #expect(output.status == 1, "\(arguments)")
            #expect(output.standardError.contains(folder), "\(arguments): \(output.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["letter.txt"])
        }
        #expect(FileManager.default.contents(atPath: folder + "/letter.txt") == Data("Dear".utf8))
        try await site.stop()
    }

    @Test(
        "Metadata that cannot be read make no store",
        arguments: [
            FixedResponse(text: "<html>Sign in</html>", type: "text/html", tells: "text/html"),
            FixedResponse(text: "<html>Sign in</html>", type: "application/xml", tells: "html"),
            FixedResponse(text: #"<edmx:Edmx Version="4.0"><edmx:Da"#, type: "application/xml", tells: "is cut off"),
            FixedResponse(text: "", type: "application/xml", tells: "$metadata"),
        ])
    func metadata(_ response: FixedResponse) async throws {
        let folder = try TemporaryFolder()
        let server = try await ODataServer.start(service: response)
        let output = try await Tool.run("store", "init", folder.path + "/store", "--service", server.rootURL)
        #expect(output.status == 1)
        #expect(output.standardError.contains(response.tells), "\(output.standardError)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try await server.stop()
    }
}

/// Responds to everything with the same text.
struct FixedResponse: HTTPResponder {
    var text: String
    var type: String
    /// What the message about it contains.
    var tells: String

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let bytes = Array(text.utf8)
        let headers: HTTPFields = [.contentType: type, .contentLength: "\(bytes.count)"]
        return ServiceResponse(head: HTTPResponse(status: .ok, headerFields: headers), body: ByteContent(bytes))
    }
}
