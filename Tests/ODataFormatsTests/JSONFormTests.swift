import ODataModel
import ODataQuery
import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// Forms of payloads that are not plain pages of entities.
@Suite struct JSONFormTests {
    @Test func nestedDeltasAreReadAndWritten() async throws {
        let shape = try DrinkModel.shape(expands: ["Mixes", "Shop"])
        let text = #"""
            {"value":[{"ID":1,"Mixes@delta":[{"ID":2},{"@removed":{"reason":"deleted"},"@id":"Drinks(3)"},
            {"@removed":{"reason":"changed"},"@id":"Drinks(4)"}],"Shop":{"ID":5}}],"@deltaLink":"d"}
            """#
        let blocks = try await JSONEntityReader(text, shape: shape, chunk: 20).blocks()
        let block = try #require(blocks.first)
        #expect(block.rows.map(\.change) == [.entity, .entity, .deleted, .left, .entity])
        #expect(block.rows[0].presentChildren == 0b10)
        #expect(block.expansions.map(\.isDelta) == [true])
        var options = JSONWriterOptions()
        options.isDelta = true
        options.usesShortNames = true
        let written = try await JSONEntityWriterTests.written(text, shape: shape, options: options)
        #expect(written == text.replacing("\n", with: ""))
    }

    @Test func rowsOfCrossjoinsHaveLinksOrEntities() async throws {
        let model = try DrinkModel.make()
        let drinks = try #require(model.entitySet(named: "Drinks"))
        let shops = try #require(model.entitySet(named: "Shops"))
        let navigation = [drinks, shops].map {
            EdmNavigationProperty(name: $0.name, target: $0.type.name, isCollection: false)
        }
        let type = EdmStructuredType(
            declaration: .init(
                kind: .complex, name: EdmQualifiedName("Edm.ComplexType"), properties: [],
                navigationProperties: navigation))
        let shape = RowShape(
            model: model, entitySet: nil, type: type,
            children: [
                .init(
                    navigation: navigation[0], shape: RowShape(model: model, entitySet: drinks, type: drinks.type),
                    isLink: true),
                .init(navigation: navigation[1], shape: RowShape(model: model, entitySet: shops, type: shops.type)),
            ])
        let text = #"{"value":[{"Drinks@odata.navigationLink":"Drinks(1)","Shops":{"ID":2}}]}"#
        #expect(try await JSONEntityWriterTests.written(text, shape: shape) == text)
    }

    @Test(arguments: [
        (JSONWriterOptions.Omission.nulls, #"{"ID":1}"#), (.defaults, #"{"ID":1,"Level":null}"#),
        (nil, #"{"ID":1,"Name":null,"Level":null,"Shop":null}"#),
    ])
    func valuesAreLeftOutOnDemand(omission: JSONWriterOptions.Omission?, expected: String) async throws {
        let model = try DrinkModel.make()
        let shop = EdmNavigationProperty(name: "Shop", target: DrinkModel.name("Shop"), isCollection: false)
        let type = EdmStructuredType(
            declaration: .init(
                name: DrinkModel.name("Thing"), key: ["ID"],
                properties: [
                    EdmProperty(name: "ID", type: .int32), EdmProperty(name: "Name", type: .string),
                    EdmProperty(name: "Level", type: .int32, defaultValue: "3"),
                    EdmProperty(name: "Size", type: .int32, defaultValue: "7"),
                ], navigationProperties: [shop]))
        let target = RowShape(
            model: model, entitySet: nil, type: try #require(model.structuredType(named: shop.target)))
        let shape = RowShape(
            model: model, entitySet: nil, type: type, children: [.init(navigation: shop, shape: target)])
        var options = JSONWriterOptions()
        options.metadata = .none
        options.omission = omission
        let text = #"{"ID":1,"Name":null,"Level":null,"Shop":null}"#
        #expect(
            try await JSONEntityWriterTests.written(text, shape: shape, kind: .entity, options: options) == expected)
        let defaults = try await JSONEntityWriterTests.written(
            #"{"ID":1,"Level":3,"Size":8}"#, shape: shape, kind: .entity, options: options)
        #expect(defaults == (omission == .defaults ? #"{"ID":1,"Size":8}"# : #"{"ID":1,"Level":3,"Size":8}"#))
    }

    @Test func controlInformationStandsFirst() async throws {
        let text = ##"""
            {"ID":1,"Mixes":[],"Mixes@odata.nextLink":"n","Mixes@odata.count":4,"@odata.etag":"e","@odata.id":"Drinks(1)",
            "@odata.type":"#Drinks.Tea"}
            """##
        var options = JSONWriterOptions()
        options.contextURL = "c"
        let written = try await JSONEntityWriterTests.written(
            text, shape: DrinkModel.shape(expands: ["Mixes"]), kind: .entity, options: options)
        #expect(
            written
                == ##"""
                {"@odata.context":"c","@odata.type":"#Drinks.Tea","@odata.id":"Drinks(1)","@odata.etag":"e","ID":1,
                "Mixes@odata.count":4,"Mixes":[],"Mixes@odata.nextLink":"n"}
                """##.replacing("\n", with: ""))
    }

    @Test func collectionsOfValuesHaveCountsAndLinks() throws {
        var options = JSONWriterOptions()
        options.contextURL = "c"
        options.ieee754Compatible = true
        let model = try DrinkModel.make()
        let bytes = JSONPayload.bytes(
            value: .collection([.integer(1), .null]), type: .collection(.int64), model: model, options: options,
            count: 2, nextLink: "n")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"@odata.context":"c","@odata.count":"2","value":["1",null],"@odata.nextLink":"n"}"#)
        let hill = EdmValue.complex(
            EdmComplexValue([.init(name: "City", value: .string("x"))], type: DrinkModel.name("Hill")))
        options.usesShortNames = true
        let complex = JSONPayload.bytes(
            value: hill, type: .complex(DrinkModel.name("Place")), model: model, options: options)
        #expect(String(decoding: complex, as: UTF8.self) == ##"{"@context":"c","@type":"#Drinks.Hill","City":"x"}"##)
        #expect(try JSONPayload.value(complex, type: .complex(DrinkModel.name("Place")), model: model) == hill)
    }

    @Test func serviceDocumentsListFunctionImports() throws {
        let schema = EdmSchema(
            namespace: "S", operations: [EdmOperationDeclaration(kind: .function, name: EdmQualifiedName("S.Best"))],
            container: "C",
            operationImports: [
                .init(kind: .function, name: "Best", operation: EdmQualifiedName("S.Best"), isInServiceDocument: true),
                .init(kind: .function, name: "Hidden", operation: EdmQualifiedName("S.Best")),
            ])
        let bytes = JSONPayload.serviceDocument(model: try EdmModel(schemas: [schema]), serviceRoot: nil)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"value":[{"name":"Best","kind":"FunctionImport","url":"Best"}]}"#)
    }

    @Test func decimalsHaveExponentsOnDemand() async throws {
        let shape = try ShopModel.shape(["Price"], expands: false)
        let text = #"{"value":[{"Price":1e30},{"Price":1E-30},{"Price":12.50},{"Price":"INF"},{"Price":1e2}]}"#
        var options = JSONWriterOptions()
        let long = try await JSONEntityWriterTests.written(text, shape: shape, options: options)
        #expect(
            long.contains(#"[{"Price":1000000000000000000000000000000},{"Price":0.000000000000000000000000000001},"#))
        #expect(long.hasSuffix(#"{"Price":12.50},{"Price":"INF"},{"Price":100}]}"#))
        options.exponentialDecimals = true
        let short = try await JSONEntityWriterTests.written(text, shape: shape, options: options)
        #expect(
            short == #"{"value":[{"Price":1E30},{"Price":1E-30},{"Price":12.50},{"Price":"INF"},{"Price":100}]}"#)
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[1,2]}"#, #"{"coordinates":[1,2.50,3],"type":"Point","x":{"y":1}}"#,
    ])
    func geoValuesAreKeptExactly(text: String) async throws {
        let shape = try ShopModel.shape(["Place"], expands: false)
        let payload = #"{"value":[{"Place":\#(text)}]}"#
        #expect(try await JSONEntityWriterTests.written(payload, shape: shape) == payload)
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[1]}"#, #"{"type":"Point","coordinates":["1","2"]}"#, #"{"type":"Point"}"#,
        #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, #"{}"#, #"{"type":"Point","coordinates":[[1,2]]}"#,
    ])
    func otherGeoValuesAreRefused(text: String) async throws {
        let reader = JSONEntityReader(
            #"{"value":[{"Place":\#(text)}]}"#, shape: try ShopModel.shape(["Place"], expands: false))
        await #expect(throws: FormatError.self) { try await reader.next() }
    }
}
