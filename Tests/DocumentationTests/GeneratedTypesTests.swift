import Foundation
import OData
import ODataGeneration
import Testing

@Suite("The types of the articles")
struct GeneratedTypesTests {
    @Test("are what the generator writes")
    func generated() async throws {
        let site = try FieldSite()
        var generator = CodeGenerator(model: try await site.online().model())
        generator.sets = [
            "BusinessPartners", "Products", "SalesOrders", "SalesOrderItems", "Photos", "WorkOrders", "Inspections",
        ]
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Generated")
        for file in try generator.files() {
            let here = try String(contentsOf: folder.appending(path: file.name), encoding: .utf8)
            #expect(here == file.text, "\(file.name)")
        }
    }
}
