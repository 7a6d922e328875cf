import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Testing

@testable import ODataTesting

@Suite("The compliance sample")
struct ComplianceSampleTests {
    private func names(_ store: any ODataStore, _ url: String) async throws -> [String] {
        let query = try QueryParser(model: try await store.model()).query(url)
        return try await store.entities(query).map { $0["Name"]?.lexical ?? "-" }
    }

    @Test(
        "It holds the entities of the contract",
        arguments: [
            ("Products", 7), ("Categories", 3), ("ProductDescriptions", 7), ("ReadOnlyItems", 2), ("DecimalSamples", 1),
            ("MediaItems", 2),
        ])
    func counts(set: String, count: Int) async throws {
        let store = try await ComplianceSample.make().tables
        #expect(try await names(store, set).count == count)
        try store.close()
    }

    @Test(
        "Products are found by values of all types",
        arguments: [
            ("Status has ComplianceService.ProductStatus'Featured'", ["Laptop", "Smartphone", "Premium Laptop Pro"]),
            ("Status eq ComplianceService.ProductStatus'InStock'", ["Coffee Mug"]),
            ("Price gt 500", ["Laptop", "Smartphone", "Premium Laptop Pro"]),
            ("Category/Name eq 'Kitchen'", ["Coffee Mug"]),
            ("ShippingAddress/City eq 'Seattle'", ["Laptop"]),
            ("ShippingAddress eq null", ["Office Chair"]),
            ("ShippingTime gt duration'P1D'", ["Coffee Mug", "Office Chair"]),
            ("OpenTime lt 09:00:00", ["Wireless Mouse", "Coffee Mug"]),
            ("Weight eq 3.14", ["Laptop"]),
            ("Descriptions/any(d:d/LanguageKey eq 'FR')", ["Wireless Mouse"]),
            ("RelatedProducts/any(r:r/Name eq 'Gaming Mouse Ultra')", ["Wireless Mouse", "Premium Laptop Pro"]),
            ("ID eq a0000001-0000-4000-8000-000000000003", ["Coffee Mug"]),
        ])
    func filters(filter: String, expected: [String]) async throws {
        let store = try await ComplianceSample.make().tables
        #expect(try await names(store, "Products?$filter=\(filter)") == expected)
        try store.close()
    }

    @Test("Values come out as they went in")
    func values() async throws {
        let store = try await ComplianceSample.make().tables
        let parser = QueryParser(model: try await store.model())
        let key = "Products(a0000001-0000-4000-8000-000000000001)"
        let laptop = try #require(try await store.entities(try parser.query("\(key)?$expand=Category")).first)
        let expected: [(String, String)] = [
            ("Status", "InStock,Featured"), ("Weight", "3.14"), ("ShippingTime", "P1D"), ("OpenTime", "09:30:00"),
            ("ReleaseDate", "2024-01-15"), ("CreatedAt", "2024-01-15T10:30:00Z"), ("Temperature", "-10"),
            ("Price", "999.99"), ("Data", "dGVzdA"), ("ProductType", "SpecialProduct"),
        ]
        for (name, text) in expected { #expect(laptop[name]?.lexical == text, "\(name)") }
        guard case .complex(let address)? = laptop["ShippingAddress"] else {
            Issue.record("no address")
            return
        }
        #expect(address["PostalCode"] == .string("98101"))
        guard case .one(let category?)? = laptop.expanded["Category"] else {
            Issue.record("no category")
            return
        }
        #expect(category["Name"] == .string("Electronics"))
        #expect(laptop.streams["Photo"]?.contentType == "image/png")
        #expect(laptop.etag?.hasPrefix("W/\"") == true)
        try store.close()
    }
}
