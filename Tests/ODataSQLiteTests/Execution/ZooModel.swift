import ODataModel
import ODataSQL

/// A small zoo: derived types, an open type, a complex value with a relation, contained entities, a singleton.
enum ZooModel {
    static let model: Model? = try? Model(schemas: [schema])

    private static func name(_ text: String) -> QualifiedName { QualifiedName("Zoo.\(text)") }

    private static func property(_ name: String, _ type: TypeReference, isNullable: Bool = true) -> Property {
        Property(name: name, type: type, isNullable: isNullable)
    }

    private static let schema = Schema(
        namespace: "Zoo",
        types: [
            StructuredTypeDeclaration(
                name: name("Animal"), isOpen: true, key: ["ID"],
                properties: [
                    property("ID", .int32, isNullable: false), property("Name", .string),
                    property("Home", .complex(name("Home"))), property("Tags", .collection(.string)),
                ],
                navigationProperties: [
                    NavigationProperty(name: "Toys", target: name("Toy"), isCollection: true, containsTarget: true)
                ]),
            StructuredTypeDeclaration(
                name: name("Bird"), baseType: name("Animal"), properties: [property("Wings", .int32)]),
            StructuredTypeDeclaration(name: name("Parrot"), baseType: name("Bird"), properties: []),
            StructuredTypeDeclaration(
                name: name("Dog"), baseType: name("Animal"), properties: [property("OwnerID", .int32)],
                navigationProperties: [
                    NavigationProperty(name: "Owner", target: name("Keeper"), isCollection: false)
                ]),
            StructuredTypeDeclaration(
                name: name("Keeper"), key: ["ID"],
                properties: [property("ID", .int32, isNullable: false), property("Name", .string)]),
            StructuredTypeDeclaration(
                name: name("Toy"), key: ["No"],
                properties: [property("No", .int32, isNullable: false), property("Name", .string)]),
            StructuredTypeDeclaration(
                name: name("Country"), key: ["Code"],
                properties: [property("Code", .string, isNullable: false), property("Name", .string)]),
            StructuredTypeDeclaration(
                kind: .complex, name: name("Home"),
                properties: [property("City", .string), property("Place", .complex(name("Place")))],
                navigationProperties: [
                    NavigationProperty(name: "Country", target: name("Country"), isCollection: false)
                ]),
            StructuredTypeDeclaration(
                kind: .complex, name: name("Place"),
                properties: [property("Lat", .decimal), property("Lon", .decimal)]),
        ], container: "Container",
        entitySets: [
            EntitySetDeclaration(
                name: "Animals", type: name("Animal"),
                bindings: ["Zoo.Dog/Owner": "Keepers", "Owner": "Keepers", "Home/Country": "Countries"]),
            EntitySetDeclaration(name: "Keepers", type: name("Keeper")),
            EntitySetDeclaration(name: "Countries", type: name("Country")),
            EntitySetDeclaration(kind: .singleton, name: "Boss", type: name("Keeper")),
        ])
}

/// Where the zoo lies in the test database.
struct ZooMapping: SQLMapping {
    let model: Model

    func hiddenSet(named name: String) -> EntitySet? {
        guard name == "Animals/Toys", let type = model.structuredType(named: QualifiedName("Zoo.Toy")) else {
            return nil
        }
        return EntitySet(declaration: EntitySetDeclaration(name: name, type: type.name), type: type)
    }

    func rows(of set: EntitySet) throws -> RowSource {
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
            relations: [
                "Toys": .columns([.init(source: "id", target: "animal")], target: "Animals/Toys"),
                "Owner": .columns([.init(source: "owner", target: "id")], target: "Keepers"),
                "Home/Country": .columns([.init(source: "country", target: "code")], target: "Countries"),
            ], typeName: .row("kind"), dynamicColumn: "more")
    }
}
