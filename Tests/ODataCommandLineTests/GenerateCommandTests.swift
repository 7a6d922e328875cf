import Foundation
import ODataService
import TestSupport
import Testing
import ToolSupport

/// The folder of published metadata documents.
private let published = TestData.url("metadata")

@Suite struct GenerateCommandTests {
    /// Products and orders.
    static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/>
            <EntitySet Name="Orders" EntityType="Shop.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func filesAreWrittenAndThoseOfEarlierRunsRemoved() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Sources/Shop"
        let all = try await Tool.run(["generate", "-", "--output", folder], input: Self.document)
        #expect(all.status == 0, "\(all.standardError)")
        #expect(all.standardError == "3 files in \(folder).\n")
        #expect(try names(folder) == ["Order.swift", "Product.swift", "ShopService.swift"])
        try Data("struct Mine {}\n".utf8).write(to: URL(fileURLWithPath: folder + "/Mine.swift"))
        let some = try await Tool.run(
            ["generate", "-", "--output", folder, "--sets", "Orders", "--access", "public"], input: Self.document)
        #expect(some.status == 0, "\(some.standardError)")
        #expect(try names(folder) == ["Mine.swift", "Order.swift", "ShopService.swift"])
        #expect(try String(contentsOfFile: folder + "/Order.swift", encoding: .utf8).contains("public struct Order"))
    }

    @Test func everythingGoesIntoOneFileWhereAsked() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        for name in ["One.swift", "Two.swift"] {
            let output = try await Tool.run(
                ["generate", "-", "--output", folder, "--file", name], input: Self.document)
            #expect(output.status == 0, "\(output.standardError)")
        }
        #expect(try names(folder) == ["One.swift", "Two.swift"])
        let text = try String(contentsOfFile: folder + "/One.swift", encoding: .utf8)
        #expect(text.split(separator: "\n").filter { $0 == "import OData" }.count == 1)
        #expect(try SwiftCompiler.lint(folder) == "")
        try FileManager.default.removeItem(atPath: folder + "/Two.swift")
        #expect(try SwiftCompiler.check(folder) == "")
    }

    @Test func aServiceIsAskedForItsMetadata() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let output = try await Tool.run("generate", served.root, "--output", scratch.folder + "/Generated")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try names(scratch.folder + "/Generated").contains("Photos.swift"))
        #expect(await served.stop().status == 0)
    }

    @Test func filesThatWereNotGeneratedAreNotOverwritten() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Sources"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["Order.swift", "Shop.swift"] {
            try Data("struct Mine {}\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        for (arguments, name) in [([], "Order.swift"), (["--file", "Shop.swift"], "Shop.swift")] {
            let output = try await Tool.run(["generate", "-", "--output", folder] + arguments, input: Self.document)
            #expect(output.status == 1)
            #expect(
                output.standardError == "error: \(name) in \(folder) would be overwritten, without having been written "
                    + "by `odata generate`. Move what is yours, or write to another folder.\n")
        }
        #expect(try names(folder) == ["Order.swift", "Shop.swift"])
        #expect(try String(contentsOfFile: folder + "/Order.swift", encoding: .utf8) == "struct Mine {}\n")
    }

    /// The document without its end, another document, none.
    static let unusable = [
        String(document.prefix(document.count / 2)), String(document.dropLast(10)), "",
        "<html><body>Log in</body></html>",
    ]

    @Test("A source that is cut off or not metadata changes nothing", arguments: unusable)
    func nothingChanges(source: String) async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Shop"
        #expect(try await Tool.run(["generate", "-", "--output", folder], input: Self.document).status == 0)
        let output = try await Tool.run(["generate", "-", "--output", folder], input: source)
        #expect(output.status == 1 && output.standardError.hasPrefix("error: <stdin>:"), "\(output.standardError)")
        #expect(try names(folder) == ["Order.swift", "Product.swift", "ShopService.swift"])
        let one = try await Tool.run(["generate", "-", "--output", folder, "--file", "One.swift"], input: source)
        #expect(one.status == 1)
        #expect(try names(folder).count == 3)
    }

    @Test("Metadata that a service cuts off make neither code nor a store", arguments: ["generate", "store init"])
    func aServiceThatCutsOff(command: String) async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/new"
        let response = ServiceResponse.text(Self.unusable[0], type: "application/xml")
        try await RespondingService.run { _ in
            response
        } _: { root in
            let arguments =
                command == "generate"
                ? ["generate", root, "--output", folder] : ["store", "init", folder, "--service", root]
            let output = try await Tool.run(arguments)
            #expect(output.status == 1 && output.standardError.contains("cut off"), "\(output.standardError)")
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test("A limit for the size of metadata holds for files and services", arguments: ["metadata", "store init"])
    func metadataLimit(command: String) async throws {
        let scratch = try Scratch()
        let response = ServiceResponse.text(Self.document, type: "application/xml")
        try await RespondingService.run { _ in
            response
        } _: { root in
            let source = command == "metadata" ? [root] : [scratch.folder + "/new", "--service", root]
            for (limit, status) in [("5", Int32(1)), ("50", 0)] {
                let output = try await Tool.run(
                    command.split(separator: " ").map(String.init) + source + ["--max-metadata-elements", limit])
                #expect(output.status == status, "\(output.standardError)")
                #expect(output.standardError.contains("more than the limit of 5 elements") == (status == 1))
            }
        }
    }

    @Test func spacesBetweenSetsMeanNothing() async throws {
        let scratch = try Scratch()
        let output = try await Tool.run(
            ["generate", "-", "--output", scratch.folder + "/Shop", "--sets", "Orders, Products,"],
            input: Self.document)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try names(scratch.folder + "/Shop").count == 3)
    }

    @Test func twoDocumentsWithTheSameTypesHaveRoomInOneModule() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        for (name, options) in [("Shop.swift", []), ("Other.swift", ["--prefix", "Other", "--partial"])] {
            let output = try await Tool.run(
                ["generate", "-", "--output", folder, "--file", name] + options, input: Self.document)
            #expect(output.status == 0, "\(output.standardError)")
        }
        #expect(try SwiftCompiler.check(folder) == "")
        let text = try String(contentsOfFile: folder + "/Other.swift", encoding: .utf8)
        #expect(text.contains("struct OtherProduct: TypedEntity") && text.contains("struct OtherShopService"))
        let refused = try await Tool.run(
            ["generate", "-", "--output", folder, "--prefix", "2 "], input: Self.document)
        #expect(refused.status == 1)
        #expect(refused.standardError == "error: The prefix 2  is not a name of a Swift type, such as Shop.\n")
    }

    @Test func operationsWithoutMethodsAreNamed() async throws {
        let scratch = try Scratch()
        let operations = """
            <Function Name="Area" IsBound="true"><Parameter Name="size" Type="Shop.Size"/>
            <ReturnType Type="Edm.Double"/></Function><Action Name="Hidden"/><EntityContainer
            """
        let document = Self.document.replacing("<EntityContainer", with: "<ComplexType Name=\"Size\"/>" + operations)
        let output = try await Tool.run(["generate", "-", "--output", scratch.folder + "/Shop"], input: document)
        #expect(output.status == 0)
        let message = "No methods for Shop.Area, Shop.Hidden: bound to complex or primitive values, not imported, or "
        #expect(output.standardError.contains(message), "\(output.standardError)")
    }

    @Test(arguments: ["internal", "public", "partial"])
    func namesThatMeanSomethingElseInSwiftAreNoObstacle(access: String) async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        let output = try await Tool.run(
            ["generate", "-", "--output", folder] + (access == "partial" ? ["--partial"] : ["--access", access]),
            input: OddModel.document)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try SwiftCompiler.check(folder) == "")
        #expect(try SwiftCompiler.lint(folder) == "")
    }

    @Test func whatCannotBeGeneratedIsRefused() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        let unknown = try await Tool.run(
            ["generate", "-", "--output", folder, "--sets", "Nothing"], input: Self.document)
        #expect(unknown.status == 1)
        #expect(unknown.standardError == "error: There is no entity set Nothing. The sets are Products, Orders.\n")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await Tool.run(["generate", "-", "--output", folder], input: "<Edmx>").status == 1)
        #expect(try await Tool.run(["generate", "-"], input: Self.document).status == 2)
    }
}

/// What is written of published metadata compiles.
@Suite("Generated code of published metadata", .enabled(if: published != nil, Comment(rawValue: TestData.absence)))
struct GeneratedCodeTests {
    /// V2 of a gateway, V4 with enumerations, complex types and operations, and the largest; all in long tests.
    private static let documents: [String] = {
        let some = ["sap-CUAN_BLACKLIST_SRV.v2.xml", "TripPin.v4.xml", "sap-FAP_APPROVEBANKPAYMENTS_SRV.v2.xml"]
        guard LongTests.areWanted, let published else { return some }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: published.path)) ?? []
        return names.filter { $0.hasSuffix(".xml") && isWhole(published.appendingPathComponent($0)) }.sorted()
    }()

    /// A document that its publisher cut off is refused, as others that are not XML.
    private static func isWhole(_ document: URL) -> Bool {
        let text = try? String(contentsOf: document, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("Edmx>") ?? true
    }

    private func generate(_ document: String, access: String, into folder: String) async throws {
        let path = try #require(published).appendingPathComponent(document).path
        let output = try await Tool.run("generate", path, "--output", folder, "--access", access)
        #expect(output.status == 0, "\(output.standardError)")
    }

    @Test(arguments: documents)
    func isFormattedAndCompilesWithoutWarnings(document: String) async throws {
        let scratch = try Scratch()
        try await generate(document, access: "internal", into: scratch.folder + "/Generated")
        #expect(try SwiftCompiler.lint(scratch.folder + "/Generated") == "")
        #expect(try SwiftCompiler.check(scratch.folder + "/Generated") == "")
    }

    @Test(arguments: documents.count > 3 ? documents : ["TripPin.v4.xml"])
    func isPublicWhereAsked(document: String) async throws {
        let scratch = try Scratch()
        try await generate(document, access: "public", into: scratch.folder + "/Generated")
        #expect(try SwiftCompiler.lint(scratch.folder + "/Generated") == "")
        #expect(try SwiftCompiler.check(scratch.folder + "/Generated") == "")
    }
}
