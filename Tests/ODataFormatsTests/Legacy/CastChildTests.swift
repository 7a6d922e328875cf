import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats

/// Navigation properties of one name that derived types have, expanded for each type by itself.
@Suite("Children of one name under type casts")
struct CastChildTests {
    private static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: "N", name: name) }

    private static func type(
        _ name: String, _ base: String? = nil, _ navigations: [EdmNavigationProperty] = []
    ) -> EdmStructuredTypeDeclaration {
        EdmStructuredTypeDeclaration(
            name: Self.name(name), baseType: base.map(Self.name), key: base == nil ? ["ID"] : [],
            properties: base == nil ? [EdmProperty(name: "ID", type: .int32)] : [], navigationProperties: navigations)
    }

    /// `Vehicles?$expand=N.Car/Owner,N.Truck/Owner`; with `isUneven` less of the owners of cars.
    private static func shape(isUneven: Bool = false) throws -> RowShape {
        let owner = EdmNavigationProperty(name: "Owner", target: name("Party"), isCollection: false)
        let parts = EdmNavigationProperty(name: "Parts", target: name("Party"), isCollection: true)
        let schema = EdmSchema(
            namespace: "N",
            types: [
                type("Party"), type("Vehicle"), type("Car", "Vehicle", [owner, parts]),
                type("Van", "Car"), type("Truck", "Vehicle", [owner, parts]),
            ], container: "C",
            entitySets: [
                .init(name: "Vehicles", type: name("Vehicle")), .init(name: "People", type: name("Party")),
                .init(name: "Firms", type: name("Party")),
            ])
        let model = try EdmModel(schemas: [schema])
        let set = try #require(model.entitySet(named: "Vehicles"))
        func child(_ cast: String, _ target: String, _ navigation: EdmNavigationProperty) throws -> RowShape.Child {
            let target = try #require(model.entitySet(named: target))
            let inner = RowShape(
                model: model, entitySet: target, type: target.type, properties: cast == "Car" && isUneven ? [] : nil)
            let derived: EdmStructuredType = try #require(model.structuredType(named: name(cast)))
            return RowShape.Child(navigation: navigation, shape: inner, cast: derived)
        }
        let children = try [
            child("Car", "People", owner), child("Car", "People", parts), child("Truck", "Firms", owner),
            child("Truck", "Firms", parts),
        ]
        return RowShape(
            model: model, entitySet: set, type: set.type, children: children,
            types: [set.type] + model.derivedTypes(of: set.type))
    }

    private static func text(_ entities: [EdmEntity]) -> String {
        entities.map { entity in
            let parts = entity.expanded.sorted { $0.key < $1.key }.map { name, expanded in
                let related: [EdmEntity] =
                    switch expanded {
                    case .one(let one): one.map { [$0] } ?? []
                    case .many(let many, _): many
                    }
                return "\(name)="
                    + related.map { "\($0.entitySet?.name ?? "")\($0["ID"]?.lexical ?? "")" }.joined(separator: ",")
            }
            return "\(entity.type.name.name) " + parts.joined(separator: " ")
        }.joined(separator: "; ")
    }

    private static let expected =
        "Car Owner=People5 Parts=People1,People2; Truck Owner=Firms5 Parts=Firms3; Van Owner=People7"

    /// The type of each entity as the first or the last of its members.
    private static func json(_ isLate: Bool, light: Bool) -> String {
        let entities = [
            ("Car", #""Parts":[{"ID":1},{"ID":2}],"Owner":{"ID":5}"#),
            ("Truck", #""Owner":{"ID":5},"Parts":[{"ID":3}]"#),
            ("Van", #""Owner":{"ID":7}"#),
        ].map { type, members in
            let type = light ? #""odata.type":"N.\#(type)""# : #""__metadata":{"type":"N.\#(type)"}"#
            return isLate ? "{\(members),\(type)}" : "{\(type),\(members)}"
        }.joined(separator: ",")
        return light ? #"{"odata.metadata":"x","value":[\#(entities)]}"# : #"{"d":{"results":[\#(entities)]}}"#
    }

    @Test("Verbose and light JSON give each entity those of its type", arguments: [false, true], [false, true])
    func verbose(isLate: Bool, light: Bool) async throws {
        let text = Self.json(isLate, light: light)
        for chunk in [7, 1 << 20] {
            let shape = try Self.shape()
            let reader = VerboseEntityReader(
                ByteContent(PieceSource(bytes: Array(text.utf8), size: chunk)), shape: shape, kind: .collection)
            let blocks = try await reader.allBlocks()
            let entities = blocks.flatMap { EntityAssembler(shape: shape).entities(in: $0) }
            #expect(Self.text(entities) == Self.expected)
        }
    }

    private static func link(_ name: String, _ inline: String) -> String {
        let rel = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/\(name)"
        return #"<link rel="\#(rel)" href="x"><m:inline>\#(inline)</m:inline></link>"#
    }

    private static func entry(_ id: Int) -> String {
        "<entry><content type=\"application/xml\"><m:properties><d:ID>\(id)</d:ID></m:properties></content></entry>"
    }

    private static func feed(_ isLate: Bool) -> String {
        let entries = [
            ("Car", link("Parts", "<feed>\(entry(1))\(entry(2))</feed>") + link("Owner", entry(5))),
            ("Truck", link("Owner", entry(5)) + link("Parts", "<feed>\(entry(3))</feed>")),
            ("Van", link("Owner", entry(7))),
        ].map { type, links in
            let scheme = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"
            let category = #"<category term="N.\#(type)" scheme="\#(scheme)"/>"#
            return "<entry>\(isLate ? links + category : category + links)</entry>"
        }.joined()
        return """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\(entries)</feed>
            """
    }

    @Test("Atom gives each entity those of its type, told before its links or after them", arguments: [false, true])
    func atom(isLate: Bool) async throws {
        for chunk in [7, 1 << 20] {
            let shape = try Self.shape()
            let blocks = try await AtomEntityReader(Self.feed(isLate), shape: shape, chunk: chunk).allBlocks()
            let entities = blocks.flatMap { EntityAssembler(shape: shape).entities(in: $0) }
            #expect(Self.text(entities) == Self.expected)
        }
    }

    @Test("A type after what was read as something else is an error that names the property")
    func uneven() async throws {
        let shape = try Self.shape(isUneven: true)
        for text in [Self.json(true, light: false), Self.json(true, light: true)] {
            let reader = VerboseEntityReader(
                ByteContent(PieceSource(bytes: Array(text.utf8), size: 1 << 20)), shape: shape, kind: .collection)
            await #expect {
                _ = try await reader.allBlocks()
            } throws: { error in
                "\(error)".contains("before the type of its entity")
            }
        }
        await #expect {
            _ = try await AtomEntityReader(Self.feed(true), shape: shape, chunk: 1 << 20).allBlocks()
        } throws: { error in
            "\(error)".contains("before the type of its entity")
        }
    }
}
