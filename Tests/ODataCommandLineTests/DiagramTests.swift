import Foundation
import OData
import TestSupport
import Testing
import ToolSupport

@testable import ODataCommandLine

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct DiagramTests {
    private static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Party" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Customer" BaseType="S.Party" OpenType="true">
            <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Buyer"/></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <NavigationProperty Name="Buyer" Type="S.Customer" Nullable="false" Partner="Orders"/>
            <NavigationProperty Name="Next" Type="S.Order"/>
            <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="Line"/></Key>
            <Property Name="Line" Type="Edm.Int32" Nullable="false"/></EntityType>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let published: [URL] = {
        guard let folder = TestData.url("metadata") else { return [] }
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
    }()

    private func model() throws -> EdmModel { try CSDL.document(Array(Self.document.utf8)).model }

    @Test func mermaidHasTypesKeysRelationsAndInheritance() throws {
        #expect(
            MermaidDiagram(diagram: EntityDiagram(try model())).text == """
                classDiagram
                    class T1["Party"] {
                        <<abstract>>
                        key ID: Int32
                        Name: String?
                    }
                    class T2["Customer"] {
                        <<open>>
                    }
                    class T3["Order"] {
                        key No: Int64
                        Tags: String[]
                    }
                    class T4["Item"] {
                        <<media>>
                        key Line: Int32
                    }
                    T2 --|> T1
                    T2 "1" -- "*" T3 : Orders, Buyer
                    T3 --> "0..1" T3 : Next
                    T3 *-- "*" T4 : Items
                """)
    }

    @Test func complexAndEnumerationTypesAreBoxesToo() throws {
        let name = EdmQualifiedName(namespace: "S", name: "Home")
        let kind = EdmEnumType(
            name: EdmQualifiedName(namespace: "S", name: "Kind"), members: [EdmEnumType.Member(name: "Own", value: 0)])
        let home = EdmStructuredTypeDeclaration(
            kind: .complex, name: name, properties: [EdmProperty(name: "Kind", type: .enumeration(kind.name))])
        let model = try EdmModel(schemas: [EdmSchema(namespace: "S", types: [home], enumTypes: [kind])])
        #expect(
            MermaidDiagram(diagram: EntityDiagram(model)).text == """
                classDiagram
                    class T1["Home"] {
                        <<complex>>
                        Kind: Kind?
                    }
                    class T2["Kind"] {
                        <<enumeration>>
                        Own
                    }
                """)
        #expect(try SVGReader(SVGDiagram(EntityDiagram(model)).text).boxes.count == 2)
        #expect(EntityDiagram(model, hasKeysOnly: true).boxes.isEmpty)
    }

    @Test func keysOnlyLeavesOtherPropertiesOutAndKeepsRelations() throws {
        let (all, keys) = (EntityDiagram(try model()), EntityDiagram(try model(), hasKeysOnly: true))
        #expect(keys.boxes.map { $0.properties.map(\.name) } == [["ID"], [], ["No"], ["Line"]])
        #expect(keys.relations.count == all.relations.count && keys.inheritances.count == all.inheritances.count)
    }

    private static let names: [(String, String)] = [
        ("Order_Details", "Order_Details"), ("_x_", "#95;x#95;"), ("__init__", "#95;#95;init#95;#95;"),
        ("a__b", "a#95;#95;b"), ("to_", "to#95;"),
    ]

    @Test(arguments: names)
    func underscoresThatMightBeEmphasisAreEscaped(name: String, text: String) throws {
        let type = EdmStructuredTypeDeclaration(name: EdmQualifiedName(namespace: "S", name: name), properties: [])
        let diagram = EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S", types: [type])]))
        #expect(MermaidDiagram(diagram: diagram).text == "classDiagram\n    class T1[\"\(text)\"]")
    }

    @Test func smallBoxesFillTheRoomBesideAHighOne() {
        let sizes = [(100, 400), (100, 100), (100, 100), (100, 100)].map { DiagramLayout.Size(width: $0, height: $1) }
        let packing = DiagramPacking(sizes, width: 200)
        #expect(packing.corners.map(\.x) == [0, 100, 100, 100])
        #expect(packing.corners.map(\.y) == [0, 0, 100, 200])
        #expect(DiagramPacking.smallest(of: []).corners.isEmpty)
    }

    @Test func namesOfTwoNamespacesAreToldApart() throws {
        let types = ["A", "B"].map { namespace in
            EdmSchema(
                namespace: namespace,
                types: [
                    EdmStructuredTypeDeclaration(
                        name: EdmQualifiedName(namespace: namespace, name: "T"), properties: [])
                ]
            )
        }
        #expect(EntityDiagram(try EdmModel(schemas: types)).boxes.map(\.title) == ["A.T", "B.T"])
    }

    @Test func whatMeansSomethingToTheFormatIsEscaped() throws {
        let name = "T\"]<&>\u{1B}{x}"
        let type = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName(namespace: "S", name: name),
            properties: [EdmProperty(name: "a<b>&\"c\"", type: .string)])
        let diagram = EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S", types: [type])]))
        let mermaid = MermaidDiagram(diagram: diagram).text
        #expect(mermaid.contains("class T1[\"T#34;]#60;#38;#62; #123;x#125;\"] {"), "\(mermaid)")
        #expect(mermaid.contains("a#60;b#62;#38;#34;c#34;: String?"), "\(mermaid)")
        #expect(try SVGReader(SVGDiagram(diagram).text).texts == ["T\"]<&> {x}", "a<b>&\"c\": String?"])
    }

    @Test func anImageHasABoxForEachTypeAndALineForEachRelation() throws {
        let svg = try SVGReader(SVGDiagram(EntityDiagram(try model())).text)
        #expect(svg.boxes.count == 4)
        #expect(svg.lines == 4)
        for text in ["Party", "abstract", "ID: Int32", "Orders → Order *", "Buyer → Customer 1", "*", "1"] {
            #expect(svg.texts.contains(text), "\(text): \(svg.texts)")
        }
    }

    @Test func aModelWithoutEntityTypesIsAnEmptyDiagram() throws {
        let diagram = EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S")]))
        #expect(MermaidDiagram(diagram: diagram).text == "classDiagram")
        #expect(try SVGReader(SVGDiagram(diagram).text).boxes.isEmpty)
    }

    @Test(
        .enabled(if: TestData.url("metadata") != nil, "\(TestData.absence)"), arguments: published)
    func publishedMetadataAreDrawnWithoutOverlap(file: URL) throws {
        let model = try CSDL.document(Array(Data(contentsOf: file))).model
        let diagram = EntityDiagram(model)
        let text = SVGDiagram(diagram).text
        #expect(text == SVGDiagram(EntityDiagram(model)).text)
        let svg = try SVGReader(text)
        #expect(svg.boxes.count == diagram.boxes.count)
        #expect(svg.lines == diagram.relations.count + diagram.inheritances.count)
        for (place, box) in svg.boxes.enumerated() {
            #expect(svg.size.contains(box))
            #expect(svg.boxes[..<place].allSatisfy { !$0.intersects(box) })
        }
        for upright in svg.uprights { #expect(svg.boxes.allSatisfy { !$0.intersects(upright) }) }
        let mermaid = MermaidDiagram(diagram: diagram).text
        #expect(mermaid.split(separator: "\n").count { $0.hasPrefix("    class ") } == diagram.boxes.count)
    }

    @Test func theCommandDrawsAndTakesOneFormOnly() async throws {
        let scratch = try Scratch()
        let path = scratch.folder + "/metadata.xml"
        try Data(Self.document.utf8).write(to: URL(fileURLWithPath: path))
        let mermaid = try await Tool.run("metadata", path, "--diagram", "mermaid")
        #expect(mermaid.standardOutput.hasPrefix("classDiagram\n") && mermaid.status == 0)
        let svg = try await Tool.run("metadata", path, "--diagram", "svg")
        #expect(try SVGReader(svg.standardOutput).boxes.count == 4)
        #expect(try await Tool.run("metadata", path, "--diagram", "svg", "--format", "xml").status == 2)
        #expect(try await Tool.run("metadata", path, "--diagram", "png").status == 2)
    }
}

/// What an XML parser finds in an image.
private final class SVGReader: NSObject, XMLParserDelegate {
    private(set) var size = CGRect.zero
    /// The frames of the entity types.
    private(set) var boxes: [CGRect] = []
    private(set) var lines = 0
    /// The vertical pieces of lines.
    private(set) var uprights: [CGRect] = []
    private(set) var texts: [String] = []
    private var isInText = false

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.formatting) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        func number(_ name: String) -> Double { attributes[name].flatMap { Double($0) } ?? 0 }
        let frame = CGRect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
        switch name {
        case "svg": size = frame
        case "rect" where attributes["stroke"] != nil: boxes.append(frame)
        case "path":
            lines += 1
            note(path: attributes["d"] ?? "")
        case "text":
            isInText = true
            texts.append("")
        default: break
        }
    }

    /// `M10 20H30V40H50`
    private func note(path: String) {
        let numbers = path.split { !$0.isNumber && $0 != "-" }.compactMap { Double($0) }
        guard numbers.count == 5 else { return }
        let (from, track, to) = (numbers[1], numbers[2], numbers[3])
        uprights.append(CGRect(x: track, y: min(from, to), width: 1, height: abs(to - from) + 1))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if isInText, !texts.isEmpty { texts[texts.count - 1] += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "text" { isInText = false }
    }
}
