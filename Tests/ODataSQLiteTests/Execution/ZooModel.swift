import ODataModel
import ODataSQL

/// A small zoo: derived types, an open type, a complex value with a relation, contained entities, a singleton.
enum ZooModel {
    static let model: EdmModel? = try? EdmModel(schemas: [schema])

    private static func name(_ text: String) -> EdmQualifiedName { EdmQualifiedName("Zoo.\(text)") }

    private static func property(_ name: String, _ type: EdmTypeReference, isNullable: Bool = true) -> EdmProperty {
        EdmProperty(name: name, type: type, isNullable: isNullable)
    }

    private static let schema = EdmSchema(
        namespace: "Zoo",
        types: [
            EdmStructuredTypeDeclaration(
                name: name("Animal"), isOpen: true, key: ["ID"],
                properties: [
                    property("ID", .int32, isNullable: false), property("Name", .string),
                    property("Home", .complex(name("Home"))), property("Tags", .collection(.string)),
                ],
                navigationProperties: [
                    EdmNavigationProperty(name: "Toys", target: name("Toy"), isCollection: true, containsTarget: true)
                ]),
            EdmStructuredTypeDeclaration(
                name: name("Bird"), baseType: name("Animal"), properties: [property("Wings", .int32)]),
            EdmStructuredTypeDeclaration(name: name("Parrot"), baseType: name("Bird"), properties: []),
            EdmStructuredTypeDeclaration(
                name: name("Dog"), baseType: name("Animal"), properties: [property("OwnerID", .int32)],
                navigationProperties: [
                    EdmNavigationProperty(name: "Owner", target: name("Keeper"), isCollection: false)
                ]),
            EdmStructuredTypeDeclaration(
                name: name("Keeper"), key: ["ID"],
                properties: [property("ID", .int32, isNullable: false), property("Name", .string)]),
            EdmStructuredTypeDeclaration(
                name: name("Toy"), key: ["No"],
                properties: [property("No", .int32, isNullable: false), property("Name", .string)]),
            EdmStructuredTypeDeclaration(
                name: name("Country"), key: ["Code"],
                properties: [property("Code", .string, isNullable: false), property("Name", .string)]),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Home"),
                properties: [property("City", .string), property("Place", .complex(name("Place")))],
                navigationProperties: [
                    EdmNavigationProperty(name: "Country", target: name("Country"), isCollection: false)
                ]),
            EdmStructuredTypeDeclaration(
                kind: .complex, name: name("Place"),
                properties: [property("Lat", .decimal), property("Lon", .decimal)]),
        ], container: "Container",
        entitySets: [
            EdmEntitySetDeclaration(
                name: "Animals", type: name("Animal"),
                bindings: ["Zoo.Dog/Owner": "Keepers", "Owner": "Keepers", "Home/Country": "Countries"]),
            EdmEntitySetDeclaration(name: "Keepers", type: name("Keeper")),
            EdmEntitySetDeclaration(name: "Countries", type: name("Country")),
            EdmEntitySetDeclaration(kind: .singleton, name: "Boss", type: name("Keeper")),
        ])
}

/// Where the zoo lies in the test database.
struct ZooMapping: SQLMapping {
    let model: EdmModel

    func hiddenSet(named name: String) -> EdmEntitySet? {
        guard name == "Animals/Toys", let type = model.structuredType(named: EdmQualifiedName("Zoo.Toy")) else {
            return nil
        }
        return EdmEntitySet(declaration: EdmEntitySetDeclaration(name: name, type: type.name), type: type)
    }

    func rows(of set: EdmEntitySet) throws -> RowSource {
        switch set.name {
        case "Animals": animals
        case "Animals/Toys":
            RowSource(
                table: "toys", rowID: "rowid", columns: columns([("No", "no", .integer), ("Name", "name", .text)]),
                entityID: "'Animals(' || \(.row("animal")) || ')/Toys(' || \(.row("no")) || ')'")
        case "Countries":
            RowSource(
                table: "countries", rowID: "rowid",
                columns: columns([("Code", "code", .text), ("Name", "name", .text)]))
        default:
            RowSource(
                table: "keepers", rowID: "id", columns: columns([("ID", "id", .integer), ("Name", "name", .text)]),
                condition: set.name == "Boss" ? .row("id") + " = 2" : nil)
        }
    }

    private func columns(_ list: [(String, String, ColumnCodec)]) -> [String: ColumnMapping] {
        Dictionary(uniqueKeysWithValues: list.map { ($0.0, ColumnMapping(column: $0.1, codec: $0.2)) })
    }

    private var animals: RowSource {
        RowSource(
            table: "animals", rowID: "id",
            columns: columns([
                ("ID", "id", .integer), ("Name", "name", .text), ("Home", "home", .json), ("Tags", "tags", .json),
                ("Wings", "wings", .integer), ("OwnerID", "owner", .integer),
            ]),
            navigation: [
                "Toys": .columns([.init(source: "id", target: "animal")], target: "Animals/Toys"),
                "Owner": .columns([.init(source: "owner", target: "id")], target: "Keepers"),
                "Home/Country": .columns([.init(source: "country", target: "code")], target: "Countries"),
            ], typeName: .row("kind"), dynamicColumn: "more")
    }
}
