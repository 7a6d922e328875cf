import ODataModel
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores
import Testing

/// Members of collections of values, over the protocol. [OData-Protocol, section 11.4.9.5 of 4.01]
@Suite("Collections of values over HTTP")
struct CollectionValueTests {
    private func text() async throws -> RequestText {
        let type = StructuredTypeDeclaration(
            name: QualifiedName("Shop.Product"), key: ["ID"],
            properties: [
                Property(name: "ID", type: .int32, isNullable: false),
                Property(name: "Tags", type: .collection(.string)),
            ])
        let schema = Schema(
            namespace: "Shop", types: [type], container: "Container",
            entitySets: [EntitySetDeclaration(name: "Products", type: type.name)])
        let store = try SQLiteStore(model: try Model(schemas: [schema]))
        try await store.load([StoredEntity("Products", EntityPayload(["ID": .integer(1)]))])
        return RequestText(service: ODataService(store: store))
    }

    @Test("$index says where a member goes: from the start, or with a minus from the end")
    func index() async throws {
        let text = try await text()
        let requests = [
            ("", "b", "[\"b\"]"), ("?$index=0", "a", "[\"a\",\"b\"]"), ("?$index=-1", "c", "[\"a\",\"b\",\"c\"]"),
            ("?$index=1", "x", "[\"a\",\"x\",\"b\",\"c\"]"), ("?$index=-2", "y", "[\"a\",\"x\",\"b\",\"y\",\"c\"]"),
        ]
        for (options, value, expected) in requests {
            let status = try await text.answer(
                "POST Products(1)/Tags\(options)\nContent-Type: application/json\nPrefer: return=minimal\n\n"
                    + "{\"value\":\"\(value)\"}")
            #expect(status == "204", "\(status)")
            let tags = try await text.answer("GET Products(1)/Tags\nAccept: application/json;odata.metadata=none")
            #expect(tags == "200\n\n{\"value\":\(expected)}")
        }
        let answer = try await text.answer(
            "POST Products(1)/Tags?$index=x\nContent-Type: application/json\n\n{\"value\":\"z\"}")
        #expect(answer.hasPrefix("400"), "\(answer)")
    }
}
