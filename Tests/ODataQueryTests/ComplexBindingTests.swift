import ODataModel
import ODataQuery
import Testing

/// Bindings of navigation properties in complex ones. [OData-CSDLXML, section 13.4.1]
@Suite("Bindings through complex properties")
struct ComplexBindingTests {
    private static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: "N", name: name) }

    private static let country = EdmNavigationProperty(name: "Country", target: name("Country"), isCollection: false)

    private static func model(_ bindings: [String: String]) throws -> EdmModel {
        func property(_ property: String, _ type: String) -> EdmProperty {
            EdmProperty(name: property, type: .complex(name(type)))
        }
        let party = EdmStructuredTypeDeclaration(
            name: name("Party"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32), property("Address", "Address"),
                EdmProperty(name: "Others", type: .collection(.complex(name("Address")))),
            ], navigationProperties: [country])
        let place = EdmStructuredTypeDeclaration(
            kind: .complex, name: name("Place"), properties: [], navigationProperties: [country])
        let types = [
            party,
            EdmStructuredTypeDeclaration(name: name("Firm"), baseType: name("Party"), properties: []),
            EdmStructuredTypeDeclaration(name: name("Bank"), baseType: name("Firm"), properties: []),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Address"), properties: [property("Place", "Place")],
                navigationProperties: [country]),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Abroad"), baseType: name("Address"), properties: []),
            place,
            EdmStructuredTypeDeclaration(
                name: name("Country"), key: ["Code"], properties: [EdmProperty(name: "Code", type: .string)]),
        ]
        let sets = ["A", "B", "C", "D"].map { EdmEntitySetDeclaration(name: $0, type: name("Country")) }
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "N", types: types, container: "C",
                entitySets: [.init(name: "Parties", type: name("Party"), bindings: bindings)] + sets)
        ])
    }

    private static let cases: [([String: String], String, String?)] = [
        (["Address/Country": "A"], "Address/Country", "A"),
        (["Address/Country": "A", "Country": "B"], "Country", "B"),
        (["Country": "B"], "Address/Country", nil),
        (["Address/Country": "A"], "N.Firm/Address/Country", "A"),
        (["Address/Country": "A", "N.Firm/Address/Country": "B"], "Address/Country", "A"),
        (["Address/Country": "A", "N.Firm/Address/Country": "B"], "N.Firm/Address/Country", "B"),
        (["Address/Country": "A", "N.Firm/Address/Country": "B"], "N.Bank/Address/Country", "B"),
        (["N.Firm/Address/Country": "B", "N.Bank/Address/Country": "C"], "N.Bank/Address/Country", "C"),
        (["N.Firm/Address/Country": "B"], "Address/Country", nil),
        (["Address/Country": "A", "Address/N.Abroad/Country": "D"], "Address/N.Abroad/Country", "D"),
        (["Address/Country": "A", "Address/N.Abroad/Country": "D"], "Address/Country", "A"),
        (
            ["N.Firm/Address/N.Abroad/Country": "C", "Address/N.Abroad/Country": "D"],
            "N.Bank/Address/N.Abroad/Country", "C"
        ),
        (["Address/Place/Country": "C", "Address/Country": "A"], "Address/Place/Country", "C"),
        (["Address/Place/Country": "C", "Address/Country": "A"], "N.Firm/Address/N.Abroad/Place/Country", "C"),
        (["Others/Country": "D"], "Others/Country", "D"),
    ]

    @Test("Lead expressions, paths and what is expanded to the set of the nearest type casts", arguments: cases)
    func bound(bindings: [String: String], path: String, expected: String?) throws {
        let parser = QueryParser(model: try Self.model(bindings))
        let expanded = try parser.query("Parties?$expand=\(path)").options.expand
        #expect(expanded.map { $0.targetSet?.name } == [expected])
        if let end = path.range(of: "/Country") {
            let all = try parser.query("Parties?$expand=\(path[..<end.lowerBound])/*").options.expand
            #expect(all.map { $0.targetSet?.name } == [expected])
        }
        let isCollection = path.hasPrefix("Others")
        guard !isCollection else { return }
        #expect(try parser.query("Parties(1)/\(path)").path.entitySet?.name == expected)
        guard
            case .binary(_, .path(let property), _)? = try parser.query("Parties?$filter=\(path)/Code eq 'x'").options
                .filter
        else { return #expect(Bool(false), "no path") }
        let sets: [String?] = property.steps.compactMap { step in
            if case .navigation(_, let set, _) = step { .some(set?.name) } else { nil }
        }
        #expect(sets == [expected])
    }

    @Test("The only set of the type is the target where nothing is bound")
    func unbound() throws {
        var schema = try Self.model([:]).schemas[0]
        schema.entitySets.removeAll { ["B", "C", "D"].contains($0.name) }
        let parser = QueryParser(model: try EdmModel(schemas: [schema]))
        #expect(try parser.query("Parties(1)/Address/Country").path.entitySet?.name == "A")
    }
}
