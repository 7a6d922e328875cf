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
        let type = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Product"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false),
                EdmProperty(name: "Tags", type: .collection(.string)),
            ])
        let schema = EdmSchema(
            namespace: "Shop", types: [type], container: "Container",
            entitySets: [EdmEntitySetDeclaration(name: "Products", type: type.name)])
        let store = try SQLiteStore(model: try EdmModel(schemas: [schema]))
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
            let status = try await text.responseText(
                "POST Products(1)/Tags\(options)\nContent-Type: application/json\nPrefer: return=minimal\n\n"
                    + "{\"value\":\"\(value)\"}")
            #expect(status == "204", "\(status)")
            let tags = try await text.responseText("GET Products(1)/Tags\nAccept: application/json;odata.metadata=none")
            #expect(tags == "200\n\n{\"value\":\(expected)}")
        }
        let response = try await text.responseText(
            "POST Products(1)/Tags?$index=x\nContent-Type: application/json\n\n{\"value\":\"z\"}")
        #expect(response.hasPrefix("400"), "\(response)")
    }
    /// [OData-Protocol, section 13.2.3, items 5.1, 5.2, 5.4 and 9]
    @Test(
        "Options of a selected collection, and values that they give aliases",
        arguments: [
            ("$orderby=$this", #""Tags":["a","b","c"]"#), ("$orderby=$this desc;$top=1", #""Tags":["c"]"#),
            ("$skip=1;$orderby=$this;$top=1", #""Tags":["b"]"#),
            ("$top=0", #""Tags":[]"#), ("$filter=$this gt @t", #""Tags":["c"]"#),
            ("$filter=$this gt @t;@t='a'", #""Tags":["b","c"]"#),
        ])
    func selected(options: String, expected: String) async throws {
        let text = try await text()
        _ = try await text.responseText(
            "PATCH Products(1)\nContent-Type: application/json\n\n{\"Tags\":[\"b\",\"c\",\"a\"]}")
        let response = try await text.responseText("GET Products?$select=Tags(\(options))&@t='b'")
        #expect(response.hasSuffix("\(expected)}]}"), "\(response)")
        let counted = try await text.responseText("GET Products?$select=Tags(\(options);$count=true)&@t='b'")
        #expect(counted.hasPrefix("501"), "\(counted)")
    }
}
