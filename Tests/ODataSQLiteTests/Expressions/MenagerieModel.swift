import ODataModel
import ODataQuery
import ODataSQL

/// Animals of several types, with values of every kind: complex ones in JSON and in columns, collections, enumerations,
/// places, dynamic properties.
enum MenagerieModel {
    static let model: EdmModel? = try? EdmModel(schemas: [schema])

    private static let schema = EdmSchema(
        namespace: "Zoo", types: [address, foreignAddress, size, animal, dog, puppy, bird, cage],
        enumTypes: [colors, mood], operations: [double, unknown, best], container: "Container",
        entitySets: [
            EdmEntitySetDeclaration(
                name: "Animals", type: EdmQualifiedName("Zoo.Animal"),
                bindings: ["Friend": "Animals", "Friends": "Animals", "Cage": "Cages"]),
            EdmEntitySetDeclaration(
                name: "Cages", type: EdmQualifiedName("Zoo.Cage"), bindings: ["Animals": "Animals"]),
        ])

    static let colors = EdmEnumType(
        name: EdmQualifiedName("Zoo.Colors"), isFlags: true,
        members: [.init(name: "Red", value: 1), .init(name: "Green", value: 2), .init(name: "Blue", value: 4)])
    static let mood = EdmEnumType(
        name: EdmQualifiedName("Zoo.Mood"),
        members: [.init(name: "Wild", value: 5), .init(name: "Calm", value: 2), .init(name: "Asleep", value: 9)])

    private static let double = EdmOperationDeclaration(
        kind: .function, name: EdmQualifiedName("Zoo.Times"), isBound: true,
        parameters: [
            .init(name: "animal", type: .entity(EdmQualifiedName("Zoo.Animal"))), .init(name: "factor", type: .int32),
        ], result: .init(type: .int32))
    private static let unknown = EdmOperationDeclaration(
        kind: .function, name: EdmQualifiedName("Zoo.Mystery"), isBound: true,
        parameters: [.init(name: "animal", type: .entity(EdmQualifiedName("Zoo.Animal")))], result: .init(type: .int32))

    private static let best = EdmOperationDeclaration(
        kind: .function, name: EdmQualifiedName("Zoo.Best"), isBound: true,
        parameters: [.init(name: "animals", type: .collection(.entity(EdmQualifiedName("Zoo.Animal"))))],
        result: .init(type: .collection(.entity(EdmQualifiedName("Zoo.Animal")))))

    private static func complex(
        _ name: String, base: String? = nil, _ properties: [(String, EdmTypeReference)]
    ) -> EdmStructuredTypeDeclaration {
        EdmStructuredTypeDeclaration(
            kind: .complex, name: EdmQualifiedName("Zoo.\(name)"), baseType: base.map { EdmQualifiedName("Zoo.\($0)") },
            properties: properties.map { EdmProperty(name: $0.0, type: $0.1) })
    }

    private static let addressType = EdmTypeReference.complex(EdmQualifiedName("Zoo.Address"))
    private static let address = complex(
        "Address",
        [
            ("City", .string), ("Lines", .collection(.string)), ("Since", .primitive(.dateTimeOffset)),
            ("Fee", .decimal), ("Number", .int64), ("Seal", .primitive(.binary)),
        ])
    private static let foreignAddress = complex("ForeignAddress", base: "Address", [("Country", .string)])
    private static let size = complex("Size", [("Width", .decimal), ("Unit", .string)])

    private static let annotations = [
        "Name": [EdmAnnotation(term: "Zoo.Nick", value: .path(.value, "Name"))],
        "Legs": [EdmAnnotation(term: "Zoo.Unit", value: .string("piece"))],
        "Big": [EdmAnnotation(term: "Zoo.Limit", value: .constant(.decimal, "1.5"))],
        "Tame": [EdmAnnotation(term: "Zoo.State", value: .enumMember(mood.name, ["Calm"]))],
        "Price": [EdmAnnotation(term: "Zoo.Label", value: .path(.value, "Friend/Name"))],
        "Height": [EdmAnnotation(term: "Zoo.Label", value: .path(.value, "Home/City"))],
        "Weight": [EdmAnnotation(term: "Zoo.Label", value: .collection([.string("light")]))],
        "Seen": [
            EdmAnnotation(
                term: "Zoo.Info",
                value: .record([
                    "Text": .string("seen"), "By": .path(.value, "Name"), "Way": .path(.property, "Home/City"),
                ]))
        ],
        "Born": [EdmAnnotation(term: "Zoo.Label", value: .expression(.init(.not, [.bool(true)])))],
    ]

    private static let animal = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Zoo.Animal"), isOpen: true, key: ["ID"],
        properties: [EdmProperty(name: "ID", type: .int32, isNullable: false)]
            + [
                ("Name", .string), ("Legs", .primitive(.byte)), ("Big", .int64), ("Weight", .primitive(.single)),
                ("Height", .double), ("Price", .decimal), ("Tame", .boolean), ("Chip", .primitive(.guid)),
                ("Photo", .primitive(.binary)), ("Born", .primitive(.date)), ("Seen", .primitive(.dateTimeOffset)),
                ("Feeding", .primitive(.timeOfDay)), ("Sleep", .primitive(.duration)),
                ("Colors", .enumeration(colors.name)), ("Mood", .enumeration(mood.name)), ("Home", addressType),
                ("Size", .complex(EdmQualifiedName("Zoo.Size"))), ("Homes", .collection(addressType)),
                ("Tags", .collection(.string)), ("Scores", .collection(.int32)), ("Prices", .collection(.decimal)),
                ("Days", .collection(.primitive(.date))), ("Moods", .collection(.enumeration(mood.name))),
                ("Place", .primitive(.geographyPoint)), ("Route", .primitive(.geographyLineString)),
                ("Area", .primitive(.geographyPolygon)), ("Spot", .primitive(.geometryPoint)),
                ("Field", .primitive(.geometryPolygon)),
            ].map { EdmProperty(name: $0.0, type: $0.1, annotations: annotations[$0.0] ?? []) },
        navigationProperties: [
            EdmNavigationProperty(name: "Friend", target: EdmQualifiedName("Zoo.Animal"), isCollection: false),
            EdmNavigationProperty(name: "Friends", target: EdmQualifiedName("Zoo.Animal"), isCollection: true),
            EdmNavigationProperty(name: "Cage", target: EdmQualifiedName("Zoo.Cage"), isCollection: false),
        ])
    private static let dog = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Zoo.Dog"), baseType: EdmQualifiedName("Zoo.Animal"), key: [],
        properties: [EdmProperty(name: "Trick", type: .string)])
    private static let puppy = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Zoo.Puppy"), baseType: EdmQualifiedName("Zoo.Dog"), key: [], properties: [])
    private static let bird = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Zoo.Bird"), baseType: EdmQualifiedName("Zoo.Animal"), key: [],
        properties: [EdmProperty(name: "Wings", type: .int32)])
    private static let cage = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Zoo.Cage"), key: ["Code"],
        properties: [
            EdmProperty(name: "Code", type: .string, isNullable: false), EdmProperty(name: "Room", type: .int32),
        ],
        navigationProperties: [
            EdmNavigationProperty(name: "Animals", target: EdmQualifiedName("Zoo.Animal"), isCollection: true)
        ])
}

/// Where the zoo lies in the test database.
struct MenagerieMapping: SQLMapping {
    /// Whether there is a full-text table.
    var isIndexed = false

    func rows(of set: EdmEntitySet) throws -> RowSource {
        guard set.name == "Animals" else {
            return RowSource(
                table: "cages", rowID: "rowid",
                columns: [
                    "Code": ColumnMapping(column: "Code", codec: .text),
                    "Room": ColumnMapping(column: "Room", codec: .integer),
                ],
                navigation: ["Animals": .columns([.init(source: "Code", target: "Cage")], target: "Animals")])
        }
        var columns = Dictionary(
            uniqueKeysWithValues: Self.codecs.map { ($0.0, ColumnMapping(column: $0.0, codec: $0.1)) })
        columns["Size/Width"] = ColumnMapping(column: "Size_Width", codec: .decimalText)
        columns["Size/Unit"] = ColumnMapping(column: "Size_Unit", codec: .text)
        return RowSource(
            table: "animals", rowID: "ID", columns: columns,
            navigation: [
                "Friend": .columns([.init(source: "Friend", target: "ID")], target: "Animals"),
                "Friends": .linkTable(
                    table: "friends", source: "a", target: "b", targetSet: "Animals", condition: nil),
                "Cage": .columns([.init(source: "Cage", target: "Code")], target: "Cages"),
            ], typeName: .row("type"), dynamicColumn: "dynamic", searchTable: isIndexed ? "animal_search" : nil)
    }

    func function(_ operation: EdmOperationDeclaration) -> FunctionMapping? {
        guard operation.name == EdmQualifiedName("Zoo.Times") else { return nil }
        return FunctionMapping(expression: "{animal} * {factor}", codec: .integer)
    }

    private static let codecs: [(String, ColumnCodec)] = [
        ("ID", .integer), ("Name", .text), ("Legs", .integer), ("Big", .integer), ("Weight", .real),
        ("Height", .real), ("Price", .decimalText), ("Tame", .boolean), ("Chip", .guidBlob), ("Photo", .blob),
        ("Born", .date), ("Seen", .instantText), ("Feeding", .timeOfDay), ("Sleep", .durationText),
        ("Colors", .enumeration(MenagerieModel.colors)), ("Mood", .text), ("Home", .json), ("Homes", .json),
        ("Tags", .json), ("Scores", .json), ("Prices", .json), ("Days", .json), ("Moods", .json), ("Place", .json),
        ("Route", .json), ("Area", .json), ("Spot", .json), ("Field", .json), ("Trick", .text), ("Wings", .integer),
    ]
}
