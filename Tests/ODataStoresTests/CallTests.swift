import ODataModel
import ODataQuery
import ODataStores
import Testing

/// Functions and actions of collections.
@Suite struct CallTests {
    private func tea(_ products: EntityCollection<DynamicEntity>) async throws -> DynamicEntity {
        try #require(try await products.find(EntityKey("ID", .integer(1))))
    }

    @Test func aFunctionThatGivesEntitiesIsACollection() async throws {
        let shop = try await OperationShop()
        let top = EntityCollections(shop.store).function("Top", ["count": Int64(3).edm]).entities(
            of: DynamicEntity.self)
        #expect(top.url == "Top(count=3)")
        let cheap = top.where { $0["Price"] < .integer(5) }
        #expect(try await cheap.findAll().compactMap { $0["Name"] } == [.string("Tea"), .string("Bread")])
    }

    @Test func optionalArgumentsAreLeftOut() async throws {
        let shop = try await OperationShop()
        let top = EntityCollections(shop.store).function("Top", ["count": nil]).entities(of: DynamicEntity.self)
        #expect(top.url == "Top()")
        #expect(try await top.findAll().count == 2)
    }

    @Test func collectionsAndComplexArgumentsAreParameterAliases() async throws {
        let shop = try await OperationShop()
        let call = EntityCollections(shop.store).function("Top", ["names": ["a'b", "c"].edm])
        #expect(call.entities(of: DynamicEntity.self).url.hasPrefix("Top(names=@names)?@names="))
    }

    @Test func aFunctionOfAnEntityGivesAValue() async throws {
        let shop = try await OperationShop()
        let products = EntityCollections(shop.store)["Products"]
        let call = try products.function("Shop.WithTax", of: try await tea(products), ["rate": 0.5.edm])
        let price: Double = try await call.value()
        #expect(price == 6)
        let error = await #expect(throws: ODataError.self) {
            let _: String = try await call.value()
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func aFunctionOfACollectionIsCalledOnAllOfIt() async throws {
        let shop = try await OperationShop()
        let picked = EntityCollections(shop.store)["Products"].function("Shop.Pick").entities(of: DynamicEntity.self)
        #expect(try await picked.findAll().compactMap { $0["Name"] } == [.string("Bread"), .string("Tea")])
    }

    @Test func anActionOfAnEntityChangesItAndGivesIt() async throws {
        let shop = try await OperationShop()
        let products = EntityCollections(shop.store)["Products"]
        let raised: DynamicEntity? = try await products.action(
            "Shop.Raise", of: try await tea(products), ["by": Int64(2).edm]
        ).entity()
        #expect(raised?["Price"] == .integer(6))
        #expect(try await tea(products)["Price"] == .integer(6))
    }

    @Test func anActionWithoutAResultGivesNothing() async throws {
        let shop = try await OperationShop()
        let collections = EntityCollections(shop.store)
        let result = try await collections.action("Clear")
        let value: Int32? = try result.value()
        #expect(value == nil)
        #expect(try await collections["Products"].isEmpty())
    }

    @Test func oneEntityIsDemandedOrNot() async throws {
        let shop = try await OperationShop()
        let products = EntityCollections(shop.store)["Products"]
        #expect(try await products.one()["Name"] == .string("Tea"))
        let none = products.where { $0["ID"] == .integer(0) }
        #expect(try await none.oneIfAny() == nil)
        let error = await #expect(throws: ODataError.self) { try await none.one() }
        #expect(error?.code == .notFound)
    }

    @Test func anUnknownOperationIsRefused() async throws {
        let shop = try await OperationShop()
        let error = await #expect(throws: ODataError.self) { try await EntityCollections(shop.store).action("Nothing") }
        #expect(error?.code == .badRequest)
    }

    @Test func entitiesAreArgumentsByTheirIds() {
        let made = DynamicEntity(["ID": .integer(1)])
        #expect(made.argument == .complex(["ID": .integer(1)]))
        var known = made.entity
        known.id = "Products(1)"
        #expect(DynamicEntity(known).argument == .complex(["@odata.id": .string("Products(1)")]))
    }
}
