import Foundation
import Testing
import ToolSupport

@Suite struct URLCommandTests {
    private static let document = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
          <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func responses(_ input: String, _ options: [String] = []) async throws -> [[String: Any]] {
        let output = try await Tool.run(["url", "parse"] + options, input: input)
        #expect(output.status == 0, "\(output.standardError)")
        return try output.standardOutput.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private func file(_ scratch: borrowing Scratch, _ text: String) throws -> String {
        let path = scratch.folder + "/names"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func eachLineHasAResult() async throws {
        let found = try await responses("Products?$top=5&$filter=Price gt 20\nProducts?$top=x\n\"Products(1)\"\n")
        #expect(found.map { $0["accepted"] as? Bool } == [true, false, true])
        #expect(found[0]["canonical"] as? String == "Products?$top=5&$filter=Price%20gt%2020")
        #expect(found[0]["tree"] is [String: Any])
        #expect(found[1]["position"] as? Int == 14)
        #expect(found[1]["found"] as? String == "'x'")
        #expect((found[1]["expected"] as? String)?.isEmpty == false)
        #expect(found[2]["canonical"] as? String == "Products(1)")
    }

    @Test func positionsCountScalars() async throws {
        let found = try await responses("Products?$filter=Name eq '😀é' xx 1\n")
        #expect(found.first?["position"] as? Int == 30)
    }

    @Test func rulesAreReadByTheirNames() async throws {
        #expect(
            try await responses("PT1H\n1\n", ["--rule", "durationValue"]).map { $0["accepted"] as? Bool } == [
                true, false,
            ])
        let unknown = try await Tool.run(["url", "parse", "--rule", "nonsense"], input: "x\n")
        #expect(unknown.status == 2)
        #expect(unknown.standardError.contains("nonsense"))
    }

    /// Of a kind that is not listed every name is allowed.
    @Test func namesComeFromALists() async throws {
        let scratch = try Scratch()
        let imports =
            ["singletonEntity", "actionImport"]
            + ["entity", "complex", "primitive"].flatMap { kind in
                ["\(kind)FunctionImport", "\(kind)ColFunctionImport"]
            }
        var lists = Dictionary(uniqueKeysWithValues: imports.map { ($0, [String]()) })
        lists["entitySetName"] = ["Products"]
        let path = try file(
            scratch, String(decoding: try JSONEncoder().encode(["Constraints": lists]), as: UTF8.self))
        let found = try await responses("Products?$select=Name\nProdcts\n", ["--constraints", path])
        #expect(found.map { $0["accepted"] as? Bool } == [true, false])
        #expect((found[1]["expected"] as? String)?.contains("Products") == true)
    }

    @Test func namesAndTypesComeFromMetadata() async throws {
        let scratch = try Scratch()
        let path = try file(scratch, Self.document)
        let found = try await responses(
            "Products?$filter=Name eq 'a'\nProducts?$filter=Nme eq 'a'\nProducts?$filter=Name eq 1\n",
            ["--metadata", path])
        #expect(found.map { $0["accepted"] as? Bool } == [true, false, false])
        #expect((found[1]["expected"] as? String)?.contains("Name") == true)
    }

    @Test func legacyURLsAreReadAsV4() async throws {
        let found = try await responses("Products?$filter=substringof('a',Name)&$inlinecount=allpages\n", ["--v2"])
        #expect(found.first?["canonical"] as? String == "Products?$filter=contains(Name,'a')&$count=true")
    }
}
