import Foundation
import Testing
import ToolSupport

/// `odata-generate`, which the build plugin runs.
@Suite struct BuildToolTests {
    private func write(_ text: String, to name: String, in scratch: borrowing Scratch) throws -> String {
        let path = scratch.folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func generate(_ arguments: String...) async throws -> Tool.Output {
        try await Tool.run(arguments, of: "odata-generate")
    }

    @Test func writesWhatTheCommandWrites() async throws {
        let scratch = try Scratch()
        let document = try write(GenerateCommandTests.document, to: "shop.edmx", in: scratch)
        let (folder, name) = (scratch.folder + "/Generated", "shop+Generated.swift")
        let output = try await generate(document, folder + "/" + name)
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output.standardError)")
        let command = try await Tool.run(
            "generate", document, "--output", scratch.folder + "/Command", "--file", name)
        #expect(command.status == 0, "\(command.standardError)")
        let texts = try ["Generated", "Command"].map {
            try String(contentsOfFile: "\(scratch.folder)/\($0)/\(name)", encoding: .utf8)
        }
        #expect(texts[0] == texts[1] && texts[0].contains("struct Product: TypedEntity"))
    }

    @Test func settingsChooseAccessAndSets() async throws {
        let scratch = try Scratch()
        let document = try write(GenerateCommandTests.document, to: "shop.edmx", in: scratch)
        let settings = try write(#"{"access": "public", "sets": ["Orders"]}"#, to: "settings.json", in: scratch)
        let output = try await generate(document, scratch.folder + "/Shop.swift", settings)
        #expect(output.status == 0, "\(output.standardError)")
        let text = try String(contentsOfFile: scratch.folder + "/Shop.swift", encoding: .utf8)
        #expect(text.contains("public struct Order: TypedEntity") && !text.contains("struct Product"))
    }

    @Test func documentsHaveSettingsOfTheirOwn() async throws {
        let scratch = try Scratch()
        let document = try write(GenerateCommandTests.document, to: "shop.edmx", in: scratch)
        let other = try write(GenerateCommandTests.document, to: "other.edmx", in: scratch)
        let settings = try write(
            """
            {"access": "public", "sets": ["Orders"],
             "documents": {"other.edmx": {"sets": ["Products"], "prefix": "Other", "partial": true}}}
            """, to: "settings.json", in: scratch)
        let folder = scratch.folder + "/Generated"
        #expect(try await generate(document, folder + "/shop.swift", settings).status == 0)
        #expect(try await generate(other, folder + "/other.swift", settings).status == 0)
        let texts = try ["shop", "other"].map { try String(contentsOfFile: "\(folder)/\($0).swift", encoding: .utf8) }
        #expect(texts[0].contains("public struct Order: TypedEntity") && !texts[0].contains("Product"))
        #expect(texts[1].contains("public struct OtherProduct: TypedEntity") && !texts[1].contains("Order"))
        #expect(try SwiftCompiler.check(folder) == "")
    }

    @Test("Of the paths that a document's ends with the longest has its settings")
    func longestPath() async throws {
        let scratch = try Scratch()
        let document = try write(GenerateCommandTests.document, to: "shop.edmx", in: scratch)
        let parent = scratch.folder.split(separator: "/").last.map(String.init) ?? ""
        let ends = ["shop.edmx": "Short", "\(parent)/shop.edmx": "Long"]
        let members = ends.map { "\"\($0)\": {\"prefix\": \"\($1)\"}" }.joined(separator: ", ")
        let settings = try write("{\"documents\": {\(members)}}", to: "settings.json", in: scratch)
        let file = scratch.folder + "/Shop.swift"
        #expect(try await generate(document, file, settings).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("struct LongOrder") && !text.contains("ShortOrder"))
    }

    @Test(
        arguments: [
            (#"{"access": "open"}"#, "access is public or internal."),
            (#"{"acess": "public"}"#, "There is no setting acess: only access, documents, partial, prefix and sets."),
            (#"{"partial": "yes"}"#, "partial is neither true nor false."),
            (#"{"documents": ["shop.edmx"]}"#, "documents is not an object of objects."),
            (
                #"{"documents": {"shop.edmx": {"documents": {}}}}"#,
                "There is no setting documents of shop.edmx: only access, documents, partial, prefix and sets."
            ),
            (#"{"sets": "Orders"}"#, "sets is not an array of names."),
            (#"{"sets": ["Nothing"]}"#, "There is no entity set Nothing. The sets are Products, Orders."),
            ("[]", "The settings are not a JSON object."),
        ])
    func settingsThatMeanNothingEndTheBuild(text: String, message: String) async throws {
        let scratch = try Scratch()
        let document = try write(GenerateCommandTests.document, to: "shop.edmx", in: scratch)
        let settings = try write(text, to: "settings.json", in: scratch)
        let output = try await generate(document, scratch.folder + "/Shop.swift", settings)
        #expect(output.status == 1 && output.standardError == "\(settings): error: \(message)\n")
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/Shop.swift"))
    }

    @Test("A document that is cut off ends the build, and leaves the file", arguments: GenerateCommandTests.unusable)
    func unusableDocuments(source: String) async throws {
        let scratch = try Scratch()
        let document = try write(source, to: "shop.edmx", in: scratch)
        let file = try write("before", to: "Shop.swift", in: scratch)
        let output = try await generate(document, file)
        #expect(output.status == 1 && output.standardError.hasPrefix("\(document):"), "\(output.standardError)")
        #expect(output.standardError.contains("error: "))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    }

    @Test func whatIsWrongInADocumentIsToldWithItsPlace() async throws {
        let scratch = try Scratch()
        let document = try write("<Edmx>\n</Schema>", to: "shop.edmx", in: scratch)
        let output = try await generate(document, scratch.folder + "/Shop.swift")
        #expect(output.status == 1 && output.standardError.hasPrefix("\(document):2:"), "\(output.standardError)")
        #expect(try await generate(scratch.folder + "/none.edmx", "Shop.swift").status == 1)
        #expect(try await generate(document).status == 2)
    }
}
