import OData
import Testing

@Suite("Lists of keys and values that do not fit into one URL")
struct ListTests {
    /// 400 products, of which every other one has two items and the others one.
    private static let products = (Int64(1)...400).flatMap { id -> [StoredEntity] in
        let product = Shop.stored("Products", ["ID": .integer(id), "Name": .string("Product \(id)")])
        let items = (1...(2 - id % 2)).map { line in
            Shop.stored("Items", ["ProductID": .integer(id), "Line": .integer(line), "Quantity": .integer(id * line)])
        }
        return [product] + items
    }

    @Test("children of 400 parents come in the order of the parents", arguments: StoreKind.allCases)
    func children(kind: StoreKind) async throws {
        let shop = try await Shop(kind, entities: Self.products)
        var products = try await shop.products.orderBy(\.id, descending: true).findAll()
        products.append(products[0])
        _ = shop.requests.reads
        let children = try await shop.products.children(of: products, \.items)
        let reads = shop.requests.reads
        #expect(reads.count == (kind == .offline ? 0 : 3))
        #expect(reads.allSatisfy { $0.utf8.count < 3_300 })
        let quantities = children.map { $0.map(\.quantity).sorted() }
        #expect(quantities == products.map { $0.id % 2 == 0 ? [$0.id, $0.id * 2] : [$0.id] })
    }

    @Test("a join over 400 values", arguments: StoreKind.allCases)
    func joined(kind: StoreKind) async throws {
        let shop = try await Shop(kind, entities: Self.products)
        _ = shop.requests.reads
        let joined = try await shop.items.where { $0.line == 1 }.orderBy(\.productID)
            .joined(with: shop.products, on: \.productID, equals: \.id)
        #expect(shop.requests.reads.count == (kind == .offline ? 0 : 4))
        #expect(joined.map(\.element.productID) == Array(1...400))
        #expect(joined.map { $0.others.map(\.name) } == (1...400).map { ["Product \($0)"] })
    }

    /// 100 orders of 4 lines with a note each, whose text says whose it is.
    private static let lines = (Int64(1)...400).flatMap { place -> [StoredEntity] in
        let line: EdmComplexValue = ["OrderID": .integer((place + 3) / 4), "Number": .integer((place + 3) % 4 + 1)]
        var note = line
        note["ID"] = .integer(place)
        return [Shop.stored("Lines", line), Shop.stored("Notes", note)]
    }

    @Test("keys of two properties", arguments: StoreKind.allCases)
    func compoundKeys(kind: StoreKind) async throws {
        let shop = try await Shop(kind, metadata: Self.metadata, entities: Self.lines, sets: ["Lines", "Notes"])
        let lines = shop.collections["Lines"]
        let parents = try await lines.orderBy(\.["Number"]).orderBy(\.["OrderID"], descending: true).findAll()
        #expect(parents.count == 400)
        _ = shop.requests.reads
        let children = try await lines.children(of: parents, "Notes")
        let reads = shop.requests.reads
        #expect(reads.count == (kind == .offline ? 0 : 7))
        #expect(reads.allSatisfy { $0.utf8.count < 3_300 })
        for (parent, notes) in zip(parents, children) {
            #expect(notes.count == 1)
            #expect(notes.first?["OrderID"] == parent["OrderID"])
            #expect(notes.first?["Number"] == parent["Number"])
        }
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Orders" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Line"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="Number"/></Key>
            <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Notes" Type="Collection(Orders.Note)" Partner="Line"/>
          </EntityType>
          <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="OrderID" Type="Edm.Int32"/>
            <Property Name="Number" Type="Edm.Int32"/>
            <NavigationProperty Name="Line" Type="Orders.Line" Partner="Notes">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="OrderID"/>
              <ReferentialConstraint Property="Number" ReferencedProperty="Number"/>
            </NavigationProperty>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Lines" EntityType="Orders.Line">
              <NavigationPropertyBinding Path="Notes" Target="Notes"/>
            </EntitySet>
            <EntitySet Name="Notes" EntityType="Orders.Note">
              <NavigationPropertyBinding Path="Line" Target="Lines"/>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
