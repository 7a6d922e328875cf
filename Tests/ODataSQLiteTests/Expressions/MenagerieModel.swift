import ODataModel
import ODataQuery
import ODataSQL

/// Animals of several types, with values of every kind: complex ones in JSON and in columns, collections, enumerations,
/// places, dynamic properties.
enum MenagerieModel {
    static let model: Model? = try? Model(schemas: [schema])

    private static let schema = Schema(
        namespace: "Zoo", types: [address, foreignAddress, size, animal, dog, puppy, bird, cage],
        enumTypes: [colors, mood], operations: [double, unknown, best], container: "Container",
        entitySets: [
            EntitySetDeclaration(
                name: "Animals", type: QualifiedName("Zoo.Animal"),
                bindings: ["Friend": "Animals", "Friends": "Animals", "Cage": "Cages"]),
            EntitySetDeclaration(name: "Cages", type: QualifiedName("Zoo.Cage"), bindings: ["Animals": "Animals"]),
        ])

    static let colors = EnumType(
        name: QualifiedName("Zoo.Colors"), isFlags: true,
        members: [.init(name: "Red", value: 1), .init(name: "Green", value: 2), .init(name: "Blue", value: 4)])
    static let mood = EnumType(
        name: QualifiedName("Zoo.Mood"),
        members: [.init(name: "Wild", value: 5), .init(name: "Calm", value: 2), .init(name: "Asleep", value: 9)])

    private static let double = OperationDeclaration(
        kind: .function, name: QualifiedName("Zoo.Times"), isBound: true,
        parameters: [
            .init(name: "animal", type: .entity(QualifiedName("Zoo.Animal"))), .init(name: "factor", type: .int32),
        ], result: .init(type: .int32))
    private static let unknown = OperationDeclaration(
        kind: .function, name: QualifiedName("Zoo.Mystery"), isBound: true,
        parameters: [.init(name: "animal", type: .entity(QualifiedName("Zoo.Animal")))], result: .init(type: .int32))

    private static let best = OperationDeclaration(
        kind: .function, name: QualifiedName("Zoo.Best"), isBound: true,
        parameters: [.init(name: "animals", type: .collection(.entity(QualifiedName("Zoo.Animal"))))],
        result: .init(type: .collection(.entity(QualifiedName("Zoo.Animal")))))

    private static func complex(
        _ name: String, base: String? = nil, _ properties: [(String, TypeReference)]
    ) -> StructuredTypeDeclaration {
        StructuredTypeDeclaration(
            kind: .complex, name: QualifiedName("Zoo.\(name)"), baseType: base.map { QualifiedName("Zoo.\($0)") },
            properties: properties.map { Property(name: $0.0, type: $0.1) })
    }

    private static let addressType = TypeReference.complex(QualifiedName("Zoo.Address"))
    private static let address = complex(
        "Address",
        [
            ("City", .string), ("Lines", .collection(.string)), ("Since", .primitive(.dateTimeOffset)),
            ("Fee", .decimal), ("Number", .int64), ("Seal", .primitive(.binary)),
        ])
    private static let foreignAddress = complex("ForeignAddress", base: "Address", [("Country", .string)])
    private static let size = complex("Size", [("Width", .decimal), ("Unit", .string)])

    private static let annotations = [
        "Name": [Annotation(term: "Zoo.Nick", value: .path(.value, "Name"))],
        "Legs": [Annotation(term: "Zoo.Unit", value: .string("piece"))],
        "Big": [Annotation(term: "Zoo.Limit", value: .constant(.decimal, "1.5"))],
        "Tame": [Annotation(term: "Zoo.State", value: .enumMember(mood.name, ["Calm"]))],
        "Price": [Annotation(term: "Zoo.Label", value: .path(.value, "Friend/Name"))],
        "Height": [Annotation(term: "Zoo.Label", value: .path(.value, "Home/City"))],
        "Weight": [Annotation(term: "Zoo.Label", value: .collection([.string("light")]))],
        "Seen": [
            Annotation(
                term: "Zoo.Info",
                value: .record([
                    "Text": .string("seen"), "By": .path(.value, "Name"), "Way": .path(.property, "Home/City"),
                ]))
        ],
        "Born": [Annotation(term: "Zoo.Label", value: .expression(.init(.not, [.bool(true)])))],
    ]

    private static let animal = StructuredTypeDeclaration(
        name: QualifiedName("Zoo.Animal"), isOpen: true, key: ["ID"],
        properties: [Property(name: "ID", type: .int32, isNullable: false)]
            + [
                ("Name", .string), ("Legs", .primitive(.byte)), ("Big", .int64), ("Weight", .primitive(.single)),
                ("Height", .double), ("Price", .decimal), ("Tame", .boolean), ("Chip", .primitive(.guid)),
                ("Photo", .primitive(.binary)), ("Born", .primitive(.date)), ("Seen", .primitive(.dateTimeOffset)),
                ("Feeding", .primitive(.timeOfDay)), ("Sleep", .primitive(.duration)),
                ("Colors", .enumeration(colors.name)), ("Mood", .enumeration(mood.name)), ("Home", addressType),
                ("Size", .complex(QualifiedName("Zoo.Size"))), ("Homes", .collection(addressType)),
                ("Tags", .collection(.string)), ("Scores", .collection(.int32)), ("Prices", .collection(.decimal)),
                ("Days", .collection(.primitive(.date))), ("Moods", .collection(.enumeration(mood.name))),
                ("Place", .primitive(.geographyPoint)), ("Route", .primitive(.geographyLineString)),
                ("Area", .primitive(.geographyPolygon)), ("Spot", .primitive(.geometryPoint)),
                ("Field", .primitive(.geometryPolygon)),
            ].map { Property(name: $0.0, type: $0.1, annotations: annotations[$0.0] ?? []) },
        navigationProperties: [
            NavigationProperty(name: "Friend", target: QualifiedName("Zoo.Animal"), isCollection: false),
            NavigationProperty(name: "Friends", target: QualifiedName("Zoo.Animal"), isCollection: true),
            NavigationProperty(name: "Cage", target: QualifiedName("Zoo.Cage"), isCollection: false),
        ])
    private static let dog = StructuredTypeDeclaration(
        name: QualifiedName("Zoo.Dog"), baseType: QualifiedName("Zoo.Animal"), key: [],
        properties: [Property(name: "Trick", type: .string)])
    private static let puppy = StructuredTypeDeclaration(
        name: QualifiedName("Zoo.Puppy"), baseType: QualifiedName("Zoo.Dog"), key: [], properties: [])
    private static let bird = StructuredTypeDeclaration(
        name: QualifiedName("Zoo.Bird"), baseType: QualifiedName("Zoo.Animal"), key: [],
        properties: [Property(name: "Wings", type: .int32)])
    private static let cage = StructuredTypeDeclaration(
        name: QualifiedName("Zoo.Cage"), key: ["Code"],
        properties: [
            Property(name: "Code", type: .string, isNullable: false), Property(name: "Room", type: .int32),
        ],
        navigationProperties: [
            NavigationProperty(name: "Animals", target: QualifiedName("Zoo.Animal"), isCollection: true)
        ])
}

/// Where the zoo lies in the test database.
struct MenagerieMapping: SQLMapping {
    /// Whether there is a full-text table.
    var isIndexed = false

    func rows(of set: EntitySet) throws -> RowSource {
        guard set.name == "Animals" else {
            return RowSource(
                table: "cages", rowID: "rowid",
                columns: [
                    "Code": ColumnMapping(column: "Code", codec: .text),
                    "Room": ColumnMapping(column: "Room", codec: .integer),
                ],
                relations: ["Animals": .columns([.init(source: "Code", target: "Cage")], target: "Animals")])
        }
        var columns = Dictionary(
            uniqueKeysWithValues: Self.codecs.map { ($0.0, ColumnMapping(column: $0.0, codec: $0.1)) })
        columns["Size/Width"] = ColumnMapping(column: "Size_Width", codec: .decimalText)
        columns["Size/Unit"] = ColumnMapping(column: "Size_Unit", codec: .text)
        return RowSource(
            table: "animals", rowID: "ID", columns: columns,
            relations: [
                "Friend": .columns([.init(source: "Friend", target: "ID")], target: "Animals"),
                "Friends": .linkTable(
                    table: "friends", source: "a", target: "b", targetSet: "Animals", condition: nil),
                "Cage": .columns([.init(source: "Cage", target: "Code")], target: "Cages"),
            ], typeName: .row("type"), dynamicColumn: "dynamic", searchTable: isIndexed ? "animal_search" : nil)
    }

    func function(_ operation: OperationDeclaration) -> FunctionMapping? {
        guard operation.name == QualifiedName("Zoo.Times") else { return nil }
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
