import Foundation
import Testing
import ToolSupport

@Suite struct RefusedBuilderTests {
    private static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="Price" Type="Edm.Decimal"/><Property Name="Made" Type="Edm.DateTimeOffset"/>
            <NavigationProperty Name="Others" Type="Collection(Shop.Product)"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let right = [
        "products.where { $0.price > 20 && $0.name == \"a\" }", "products.where { 9.99 < $0.price }",
        "products.orderBy(\\.name).expand(\\.others)", "products.where { $0.made < Date.now }",
    ]

    private static let wrong = [
        "products.where { $0.prize > 20 }", "products.where { $0.name > 20 }", "products.where { $0.price == \"a\" }",
        "products.where { $0.id == $0.name }", "products.where { $0.name && $0.id == 1 }",
        "products.where { $0.others == 1 }", "products.orderBy(\\.others)", "products.expand(\\.name)",
        "products.where { $0.id < Date.now }", "products.where { $0.others.name == \"a\" }",
        "products.where { $0.made.hasPrefix(\"2\") }", "products.where { $0.name + 1 == \"a\" }",
    ]

    @Test func theCompilerTakesWhatIsRightAndNothingElse() async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        let made = try await Tool.run(["generate", "-", "--output", folder], input: Self.document)
        #expect(made.status == 0, "\(made.standardError)")
        let start = ["import Foundation", "import OData", "func use(_ products: EntityCollection<Product>) {"]
        let lines = (Self.right + Self.wrong).map { "    _ = \($0)" }
        try Data((start + lines + ["}", ""]).joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: folder + "/Uses.swift"))
        let output = try SwiftCompiler.check(folder)
        for (index, line) in lines.enumerated() {
            let isRefused = output.contains("/Uses.swift:\(start.count + index + 1):")
            #expect(isRefused == (index >= Self.right.count), "\(line)\n\(output)")
        }
    }
}
