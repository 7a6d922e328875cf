import Testing

@Suite("The example of generated types", .enabled(if: Example.isWanted, Example.absence))
struct GeneratedTests {
    @Test("It asks and changes a store by the structures that the plugin has written")
    func runs() async throws {
        let printed = try await Example.run("Generated", [])
        #expect(
            printed == """
                GET Products?$filter=Price%20gt%2010%20and%20Color%20ne%20null&$expand=Category&$orderby=Name
                Chai 18 Drinks
                Tofu 23 Food
                PATCH ["Price"]
                GET Products?$filter=Category/Name%20eq%20'Food'
                2 products, 28

                """)
    }
}
