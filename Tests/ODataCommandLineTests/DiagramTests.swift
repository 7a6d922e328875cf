import Foundation
import OData
import TestSupport
import Testing
import ToolSupport

@testable import ODataCommandLine

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

    @Test func mermaidHasTypesKeysRelationshipsAndInheritance() throws {
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
        #expect(DOTDiagram(diagram: EntityDiagram(model)).nodes.count == 2)
        #expect(EntityDiagram(model, hasKeysOnly: true).boxes.isEmpty)
    }

    @Test func keysOnlyLeavesOtherPropertiesOutAndKeepsRelationships() throws {
        let (all, keys) = (EntityDiagram(try model()), EntityDiagram(try model(), hasKeysOnly: true))
        #expect(keys.boxes.map { $0.properties.map(\.name) } == [["ID"], [], ["No"], ["Line"]])
        #expect(keys.relationships.count == all.relationships.count)
        #expect(keys.inheritances.count == all.inheritances.count)
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
        let dot = DOTDiagram(diagram: diagram).text
        #expect(dot.contains("<b>T&quot;]&lt;&amp;&gt; {x}</b>"), "\(dot)")
        #expect(dot.contains(">a&lt;b&gt;&amp;&quot;c&quot;: String?</td>"), "\(dot)")
    }

    @Test func dotHasTypesKeysRelationshipsAndInheritance() throws {
        let lines = DOTDiagram(diagram: EntityDiagram(try model())).text.split(separator: "\n").dropFirst(4)
        let table = "[label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\"><tr><td bgcolor=\"#dde8f3\">"
        let (row, end) = ("</td></tr><tr><td align=\"left\">", "</td></tr></table>>]")
        #expect(
            Array(lines) == [
                "    T1 \(table)<b>Party</b><br/><i>abstract</i>\(row)<b>ID: Int32</b>\(row)Name: String?\(end)",
                "    T2 \(table)<b>Customer</b><br/><i>open</i>\(end)",
                "    T3 \(table)<b>Order</b>\(row)<b>No: Int64</b>\(row)Tags: String[]\(end)",
                "    T4 \(table)<b>Item</b><br/><i>media</i>\(row)<b>Line: Int32</b>\(end)",
                "    T2 -> T1 [arrowhead=empty]",
                "    T2 -> T3 [arrowhead=none, taillabel=<1>, headlabel=<*>, label=<Orders, Buyer>]",
                "    T3 -> T3 [label=<Next 0..1>]",
                "    T3 -> T4 [arrowtail=diamond, headlabel=<*>, label=<Items>]", "}",
            ])
    }

    @Test func aModelWithoutEntityTypesIsAnEmptyDiagram() throws {
        let diagram = EntityDiagram(try EdmModel(schemas: [EdmSchema(namespace: "S")]))
        #expect(MermaidDiagram(diagram: diagram).text == "classDiagram")
        #expect(DOTDiagram(diagram: diagram).nodes.isEmpty)
    }

    @Test(
        .enabled(if: TestData.url("metadata") != nil, "\(TestData.absence)"), arguments: published)
    func publishedMetadataAreDrawnWhole(file: URL) throws {
        let diagram = EntityDiagram(try CSDL.document(Array(Data(contentsOf: file))).model)
        let dot = DOTDiagram(diagram: diagram)
        #expect(dot.nodes.count == diagram.boxes.count)
        #expect(
            dot.text.split(separator: "\n").count { $0.contains(" -> ") }
                == diagram.relationships.count + diagram.inheritances.count)
        let mermaid = MermaidDiagram(diagram: diagram).text
        #expect(mermaid.split(separator: "\n").count { $0.hasPrefix("    class ") } == diagram.boxes.count)
    }

    @Test func theCommandDrawsAndTakesOneFormOnly() async throws {
        let scratch = try Scratch()
        let path = try file(scratch)
        let mermaid = try await Tool.run("metadata", path, "--diagram", "mermaid")
        #expect(mermaid.standardOutput.hasPrefix("classDiagram\n") && mermaid.status == 0)
        let dot = try await Tool.run("metadata", path, "--diagram", "dot")
        #expect(dot.standardOutput == DOTDiagram(diagram: EntityDiagram(try model())).text + "\n" && dot.status == 0)
        #expect(try await Tool.run("metadata", path, "--diagram", "svg", "--format", "xml").status == 2)
        #expect(try await Tool.run("metadata", path, "--diagram", "png").status == 2)
    }

    /// What stands where Graphviz has its program, and how the tool ends then.
    private static let programs: [(program: String?, status: Int32, output: String, error: String)] = [
        ("echo \"$1\"; cat \"$2\"", 0, "-Tsvg\ndigraph {\n", ""),
        ("exit 3", 1, "", "error: $/dot did not make an image (status 3)."),
        (
            nil, 1, "",
            "error: An SVG image needs the program dot of Graphviz, which is not in PATH.\nInstall Graphviz, or use"
        ),
    ]

    @Test(arguments: programs)
    func anImageIsWhatGraphvizMakes(program: String?, status: Int32, output: String, error: String) async throws {
        let scratch = try Scratch()
        if let program {
            try Data("#!/bin/sh\n\(program)\n".utf8).write(to: URL(fileURLWithPath: scratch.folder + "/dot"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.folder + "/dot")
        }
        // The program of the case may use those of the system; where nothing is to be found, that is not there either.
        let path = program == nil ? scratch.folder : "\(scratch.folder):/usr/bin:/bin"
        let svg = try await Tool.run(
            ["metadata", try file(scratch), "--diagram", "svg"], environment: ["PATH": path])
        #expect(svg.status == status)
        #expect(svg.standardOutput.hasPrefix(output) && svg.standardOutput.isEmpty == output.isEmpty)
        #expect(svg.standardError.hasPrefix(error.replacing("$", with: scratch.folder)), "\(svg.standardError)")
    }

    @Test(.enabled(if: (try? Graphviz()) != nil, "Graphviz is not installed."))
    func graphvizDrawsAllBoxesAndLines() throws {
        for hasKeysOnly in [false, true] {
            let diagram = DOTDiagram(diagram: EntityDiagram(try model(), hasKeysOnly: hasKeysOnly))
            let svg = String(decoding: try Graphviz().svg(diagram.text), as: UTF8.self)
            #expect(svg.matches(of: /class="node"/).count == 4 && svg.matches(of: /class="edge"/).count == 4)
            #expect(svg.contains(">Customer</text>"))
        }
    }

    private func file(_ scratch: borrowing Scratch) throws -> String {
        let path = scratch.folder + "/metadata.xml"
        try Data(Self.document.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

extension DOTDiagram {
    fileprivate var nodes: [Substring] { text.split(separator: "\n").filter { $0.contains("<table") } }
}
