import Foundation
import OData
import ODataGeneration
import Testing

@Suite("The types of these tests")
struct GeneratedTypesTests {
    /// They were made before the service got its property `Added`.
    @Test("are what the generator writes")
    func generated() throws {
        let metadata = Shop.metadata.replacing(#"<Property Name="Added" Type="Edm.String"/>"#, with: "")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Generated")
        for file in try CodeGenerator(model: try CSDL.read(xml: Array(metadata.utf8)).model).files() {
            let here = try String(contentsOf: folder.appending(path: file.name), encoding: .utf8)
            #expect(here == file.text, "\(file.name)")
        }
    }
}
