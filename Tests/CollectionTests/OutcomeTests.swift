import Foundation
import OData
import ODataService
import ODataTesting
import Testing

@Suite("Changes of collections whose response is missing")
struct OutcomeTests {
    /// Products of a service that cannot be reached for the first GET of a product.
    private func products(_ shop: Shop) throws -> EntityCollection<Product> {
        let transport = FaultTransport(
            next: InProcessTransport(service: ODataService(store: shop.file)),
            plan: .once(.refused) { $0.method == .get && $0.url?.absoluteString.contains("Products(") == true })
        let store = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        return EntityCollections(store).of(Product.self, in: "Products").expand(\.category)
    }

    @Test("an entity that was made and could not be read is named by the error")
    func made() async throws {
        let shop = try await Shop(.file)
        let products = try products(shop)
        let error = await #expect(throws: ODataError.self) { try await products.create(Product(id: 8, name: "Ale")) }
        #expect(error?.code == .unreachable && error?.isOutcomeUnknown == true)
        #expect(error?.createdID?.hasSuffix("Products(8)") == true)
        #expect(error?.message.contains("Products(8) was made") == true)
        #expect(try await products.find(8)?.name == "Ale")
    }

    @Test("so is one that its structure cannot hold")
    func unfit() async throws {
        let shop = try await Shop(.file)
        let unreadable = shop.collections.of(Unreadable.self, in: "Products")
        let error = await #expect(throws: ODataError.self) { try await unreadable.create(Unreadable()) }
        #expect(error?.code == .invalidResponse && error?.createdID == "Products(9)")
        #expect(error?.isOutcomeUnknown == true)
        #expect(try await shop.products.find(9) != nil)
    }

    @Test("an update of which only the reading fails says so")
    func updated() async throws {
        let shop = try await Shop(.file)
        let products = try products(shop)
        var chai = try #require(try await products.where { $0.id == 1 }.first())
        chai.name = "Masala"
        let error = await #expect(throws: ODataError.self) { try await products.update(chai) }
        #expect(error?.code == .unreachable && error?.isOutcomeUnknown == true && error?.createdID == nil)
        #expect(error?.message.hasPrefix("Products(1) was updated") == true)
        #expect(try await products.find(1)?.name == "Masala")
    }
}

/// Is created, and never read.
private struct Unreadable: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Product")
    static let propertyNames = ["ID", "Name"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var origin: EntityOrigin<Unreadable>?

    init() {}
    init(_ row: TypedRow) throws(ODataError) { throw ODataError(.invalidResponse, "no Unreadable") }
    func value(at index: Int) -> EdmValue? { index == 0 ? .integer(9) : .string("x") }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
    }
}
