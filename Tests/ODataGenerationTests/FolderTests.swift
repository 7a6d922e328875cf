import Foundation
import ODataMetadata
import Testing

@testable import ODataGeneration

/// A folder changes when everything can be written, or not at all.
@Suite struct FolderTests {
    /// A folder that goes at the end.
    private struct Place: ~Copyable {
        let path = NSTemporaryDirectory() + "odata-folder-\(UUID().uuidString)"

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// All files with their texts, folders with none.
        func content() -> [String: String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let texts = names.map { ($0, (try? String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)) ?? "") }
            return Dictionary(uniqueKeysWithValues: texts)
        }
    }

    private static func files(_ names: [String], _ text: String) -> [GeneratedFile] {
        names.map { GeneratedFile(name: $0, declarations: "struct \(text) {}\n") }
    }

    @Test func filesAreWrittenReplacedAndRemoved() throws {
        let place = Place()
        let folder = GeneratedFolder(path: place.path + "/")
        try folder.write(Self.files(["A.swift", "B.swift"], "Old"), removesOthers: true)
        try Data("struct Mine {}".utf8).write(to: URL(fileURLWithPath: place.path + "/Mine.swift"))
        let new = Self.files(["B.swift", "C.swift"], "New")
        try folder.write(new, removesOthers: true)
        let expected = ["B.swift": new[0].text, "C.swift": new[1].text, "Mine.swift": "struct Mine {}"]
        #expect(place.content() == expected)
    }

    private static let long = String(repeating: "x", count: 300) + ".swift"

    @Test(
        "A file that cannot be written leaves all others as they were",
        arguments: [["A.swift", long], [long, "A.swift"], ["C.swift", "B.swift", "no/folder.swift"]])
    func oneFileCannotBeWritten(names: [String]) throws {
        let place = Place()
        let folder = GeneratedFolder(path: place.path)
        let failure = #expect(throws: GenerationError.self) {
            try folder.write(Self.files(names, "New"), removesOthers: true)
        }
        #expect(failure?.message.contains("cannot be written") == true, "\(String(describing: failure))")
        #expect(!FileManager.default.fileExists(atPath: place.path))
        try folder.write(Self.files(["A.swift", "B.swift"], "Old"), removesOthers: true)
        let before = place.content()
        #expect(throws: GenerationError.self) { try folder.write(Self.files(names, "New"), removesOthers: true) }
        #expect(place.content() == before)
    }

    @Test func whatWasExchangedIsPutBackWhereTheRestCannotBe() throws {
        let place = Place()
        let url = URL(fileURLWithPath: place.path)
        try GeneratedFolder(path: place.path).write(Self.files(["A.swift", "B.swift"], "Old"), removesOthers: true)
        try FileManager.default.createDirectory(atPath: place.path + "/Folder", withIntermediateDirectories: true)
        let before = place.content()
        let failure = #expect(throws: GenerationError.self) {
            try FolderChange.apply(
                Self.files(["A.swift", "New.swift"], "New"), removing: ["B.swift", "Folder"], in: url)
        }
        #expect(failure?.message.hasPrefix("\(place.path)/Folder cannot be removed: ") == true)
        #expect(place.content() == before)
    }

    @Test func aFileInPlaceOfTheFolderIsNamed() throws {
        let place = Place()
        try Data("text".utf8).write(to: URL(fileURLWithPath: place.path))
        for path in [place.path, place.path + "/Inside"] {
            let failure = #expect(throws: GenerationError.self) {
                try GeneratedFolder(path: path).write(Self.files(["A.swift"], "New"), removesOthers: true)
            }
            #expect(failure?.message.contains(path) == true, "\(String(describing: failure))")
        }
        #expect(try String(contentsOfFile: place.path, encoding: .utf8) == "text")
    }

    @Test func metadataThatDeclareNothingEmptyNoFolder() throws {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm"/></edmx:DataServices></edmx:Edmx>
            """
        let model = try CSDL.read(xml: Array(text.utf8)).model
        #expect(throws: GenerationError.self) { try CodeGenerator(model: model).files() }
        #expect(throws: GenerationError.self) { try CodeGenerator(model: model).file(named: "A.swift") }
    }
}
