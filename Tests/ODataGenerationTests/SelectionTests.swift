import ODataGeneration
import Testing

/// What is written where only some sets are wanted.
@Suite struct SelectionTests {
    @Test func setsComeWithWhatTheirPropertiesLeadTo() throws {
        let files = try generated(ShopModel.document, sets: ["Products"])
        #expect(files.keys.sorted() == ["Color.swift", "Product.swift", "ShopService.swift", "Size.swift"])
    }

    @Test func relationsToOtherSetsAreLeftOut() throws {
        let text = try generated(ShopModel.document, sets: ["Products"])["Product.swift"] ?? ""
        #expect(text.contains("static let relationNames = [\"Parts\"]"))
        #expect(!text.contains("Category"))
    }

    @Test func theServiceHasTheChosenSetsOnly() throws {
        let text = try generated(ShopModel.document, sets: ["Categories"])["ShopService.swift"] ?? ""
        #expect(text.contains("var categories: EntityCollection<Category>"))
        #expect(!text.contains("Product"))
    }

    @Test func aSetThatThereIsNotIsRefused() throws {
        let error = #expect(throws: GenerationError.self) {
            try generated(ShopModel.document, sets: ["Products", "Orders"])
        }
        #expect(error?.message == "There is no entity set Orders. The sets are Products, Categories, Favourite.")
    }
}
