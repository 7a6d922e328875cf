import Foundation
import Testing
import ToolSupport

@Suite struct MetadataCommandTests {
    private static let document = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <edmx:DataServices m:DataServiceVersion="2.0">
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
          <EntityType Name="Photo" m:HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Odd" Type="Shop.Missing"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="Shop.Photo"/>
            <FunctionImport Name="Top" ReturnType="Edm.Int32" m:HttpMethod="GET"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func file(_ scratch: borrowing Scratch, _ text: String = document) throws -> String {
        let path = scratch.folder + "/metadata.xml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func theSummaryTellsWhatThereIsAndWhatIsWrong() async throws {
        let scratch = try Scratch()
        let path = try file(scratch)
        let output = try await Tool.run("metadata", path)
        #expect(output.status == 0)
        #expect(output.standardError == "\(path):7:5: Odd is of the type Shop.Missing, which is not known.\n")
        for line in [
            "OData 2.0 (XML)", "1 entity set, 1 operation import, 1 entity type, 1 function", "Schema Shop",
            "    Photos (media): Photo", "      ID: Int32 key", "    Top() → Int32? (function, GET)",
        ] {
            #expect(output.standardOutput.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
    }

    @Test func ofManyDiagnosticsTheFirstAreTold() async throws {
        let scratch = try Scratch()
        let odd = #"<Property Name="Odd" Type="Shop.Missing"/>"#
        let many = (1...8).map { odd.replacing("\"Odd\"", with: "\"Odd\($0)\"") }.joined()
        let path = try file(scratch, Self.document.replacing(odd, with: many))
        let some = try await Tool.run("metadata", path).standardError.split(separator: "\n")
        #expect(some.count == 6 && some.last == "3 more: --diagnostics", "\(some)")
        let all = try await Tool.run("metadata", path, "--diagnostics").standardError.split(separator: "\n")
        #expect(all.count == 8 && all.dropFirst(5).first?.contains("Odd6") == true, "\(all)")
    }

    @Test func namesGiveAllAboutATypeAndGoWithTheSummaryOnly() async throws {
        let scratch = try Scratch()
        let path = try file(scratch)
        let output = try await Tool.run("metadata", path, "Photos")
        #expect(output.status == 0)
        #expect(output.standardOutput.contains("\nEntity type Shop.Photo (media)\n  in Photos\n  key  ID   Int32\n"))
        #expect(try await Tool.run("metadata", path, "Photoz").status == 1)
        #expect(try await Tool.run("metadata", path, "Photos", "--format", "json").status == 2)
        #expect(try await Tool.run("metadata", path, "--keys-only").status == 2)
    }

    @Test func theFolderOfAStoreHasItsModel() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let key = scratch.folder + "/key"
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: key))
        let made = try await Tool.run(
            "store", "init", scratch.store, "--service", served.root, "--key-file", key)
        #expect(made.status == 0)
        #expect(await served.stop().status == 0)
        let output = try await Tool.run("metadata", scratch.store, "--key-file", key)
        #expect(output.standardOutput.hasPrefix("The store \(scratch.store) of 127.0.0.1:"), "\(output.standardError)")
        #expect(output.standardOutput.contains("    Photos (media): "))
        let diagram = try await Tool.run("metadata", scratch.store, "--diagram", "mermaid", "--key-file", key)
        #expect(diagram.standardOutput.hasPrefix("classDiagram\n"))
    }

    @Test func everyFormReadsWhatTheOthersWrite() async throws {
        let scratch = try Scratch()
        let path = try file(scratch)
        let xml = try await Tool.run("metadata", path, "--format", "xml")
        #expect(xml.standardOutput.contains("Version=\"4.01\""))
        let json = try await Tool.run("metadata", path, "--format", "json")
        #expect(json.json["$Version"] as? String == "4.01")
        let back = try await Tool.run(["metadata", "-", "--format", "xml"], input: json.standardOutput)
        #expect(back.standardOutput == xml.standardOutput)
        #expect(back.standardError.hasPrefix("<stdin>:"))
    }

    @Test func aServiceIsAskedByItsRootOrItsMetadata() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        for (path, version) in [("", "4.01"), ("$metadata", "4.01"), ("v2/", "2.0"), ("v2/$metadata", "2.0")] {
            let output = try await Tool.run("metadata", served.root + path)
            #expect(output.status == 0, "\(path): \(output.standardError)")
            #expect(output.standardOutput.hasPrefix("OData \(version) (XML)\n"), "\(output.standardOutput)")
            #expect(output.standardOutput.contains("    Products: "), "\(output.standardOutput)")
        }
        let json = try await Tool.run("metadata", served.root, "--format", "json")
        #expect(json.json["$Version"] as? String == "4.01")
        let nothing = try await Tool.run("metadata", served.root + "Nothing/service.xml")
        #expect(nothing.status == 1)
        #expect(nothing.standardError.hasPrefix("error: The service returned 404"), "\(nothing.standardError)")
        #expect(await served.stop().status == 0)
    }

    @Test func whatIsNoMetadataIsRefusedWithItsPlace() async throws {
        let scratch = try Scratch()
        let path = try file(scratch, "<Edmx>\n  <a></b></Edmx>")
        let broken = try await Tool.run("metadata", path)
        #expect(broken.status == 1)
        #expect(broken.standardError.hasPrefix("error: \(path):2:"))
        #expect(try await Tool.run("metadata", scratch.folder + "/none.xml").status == 1)
        #expect(try await Tool.run("metadata", path, "--format", "yaml").status == 2)
    }
}
