import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataSQLite
import ODataStores
import TestSupport
import Testing

@Suite("Texts and names that SQL or JSON could take for a mark, on a device")
struct StrangeNameTests {
    /// The service over a file of ``StrangeNames``, and a device of it.
    private func published(version: String? = nil) async throws -> (
        tables: SQLiteStore, device: ShopDevice, boss: String
    ) {
        let folder = try TemporaryFolder()
        let file = folder.path + "/service.db"
        let queue = try DatabaseQueue(path: file)
        try await queue.write { try $0.execute(sql: StrangeNames.script) }
        try queue.close()
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        let now = configuration.now
        configuration.now = { withExtendedLifetime(folder) { now() } }
        let tables = try SQLiteStore(path: file, configuration: configuration)
        let type = try #require(try await tables.model().entitySet(named: "p_row_q")?.type)
        let boss = try #require(type.navigationProperties.first { !$0.isCollection }?.name)
        let device = try await ShopDevice(
            [
                DefiningQuery(name: "p", query: "p_row_q?$expand=\(boss)", retrievesStreams: true),
                DefiningQuery(name: "bosses", query: "Boss_link"),
            ], remote: FixedResponses().remote(over: tables, version: version)
        ) { _ in }
        try await device.store.download()
        return (tables, device, boss)
    }

    @Test("Are read, filtered, ordered and searched as in the file", arguments: [nil, "v2"])
    func read(version: String?) async throws {
        let (_, device, boss) = try await published(version: version)
        for (url, rows) in StrangeNames.reads {
            let found = try await device.entities(url.replacing("ToBoss", with: boss)).map {
                $0.key?.values.first?.lexical ?? "-"
            }
            #expect(found.joined(separator: " ") == rows, "\(url)")
        }
        // V2 has no stream properties.
        if version == nil { #expect(try await device.text("p_row_q(3)/photo_row") == "\u{1}") }
    }

    @Test("Are created, updated, deleted, sent, and refreshed by deltas", arguments: [nil, "v2"])
    func changes(version: String?) async throws {
        let (tables, device, _) = try await published(version: version)
        func change(_ store: any ODataStore, _ url: String, _ operation: ChangeRequest.Operation) async throws {
            let parser = QueryParser(model: try await store.model())
            var request = ChangeRequest(try parser.query(url).path, operation)
            request.allowsCreate = false
            _ = try await store.change(request)
        }
        let here = device.store
        try await change(here, "p_row_q", .create(EntityPayload(["id": .integer(9), "a_row_b": .string("?{row}")])))
        try await change(here, "p_row_q(2)", .update(EntityPayload(["a_row_b": .string(#"{row}"'\"#)])))
        try await change(here, "p_row_q(1)", .delete)
        #expect(
            try await device.lines("p_row_q", "id", "a_row_b") == [#"2 {row}"'\"#, "3 a?b:c", #"4 '""#, "9 ?{row}"])
        #expect(try await device.store.upload().isComplete)
        #expect(
            try await tables.entities(QueryParser(model: tables.model()).query("p_row_q")).map {
                $0["a_row_b"]?.lexical
            }
                == [#"{row}"'\"#, "a?b:c", #"'""#, "?{row}"])
        _ = try await device.store.download()
        try await change(tables, "p_row_q(3)", .update(EntityPayload(["a_row_b": .string("{link}?")])))
        try await change(tables, "p_row_q(4)", .delete)
        try await change(
            tables, "Boss_link", .create(EntityPayload(["id_row": .integer(7), "na_me_x": .string("$?")])))
        _ = try await device.store.download()
        #expect(try await device.lines("p_row_q", "id", "a_row_b") == [#"2 {row}"'\"#, "3 {link}?", "9 ?{row}"])
        #expect(try await device.lines("Boss_link?$filter=na_me_x eq '$?'", "id_row") == ["7"])
    }
}

/// A model whose names are not identifiers of OData. No URL can have them: the queries are made of the model's parts.
private struct OddService {
    static let text = #"a{row}b"#
    static let number = #"n{link}:1"#
    static let real = #"q"x'y?\"#
    static let state = "$state"
    static let id = "$id"
    static let place = #"pla{row}ce""#
    static let zip = #"zip\"{row}?'"#
    static let boss = #"boss{row}"?"#
    static let bossID = #"boss"id{row}"#
    static let others = #"all?{link}'""#
    static let extra = #"ex{row}tra"#
    static let dynamic = #"dy"n\{row}?'"#

    let model: EdmModel
    let tables: SQLiteStore

    init() throws {
        func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: "NS", name: name) }
        let place = EdmStructuredTypeDeclaration(
            kind: .complex, name: name("Place"),
            properties: [EdmProperty(name: Self.zip, type: .string), EdmProperty(name: "City", type: .string)])
        let thing = EdmStructuredTypeDeclaration(
            name: name("Thing"), isOpen: true, key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: Self.text, type: .string),
                EdmProperty(name: Self.number, type: .int32),
                EdmProperty(name: Self.real, type: .primitive(.double)),
                EdmProperty(name: Self.state, type: .string), EdmProperty(name: Self.id, type: .int32),
                EdmProperty(name: Self.bossID, type: .int32),
                EdmProperty(name: Self.place, type: .complex(name("Place"))),
            ],
            navigationProperties: [
                EdmNavigationProperty(
                    name: Self.boss, target: name("Thing"), isCollection: false,
                    constraints: [.init(property: Self.bossID, referencedProperty: "ID")]),
                EdmNavigationProperty(name: Self.others, target: name("Thing"), isCollection: true),
            ])
        let part = EdmStructuredTypeDeclaration(
            name: name("Sub"), baseType: name("Thing"), properties: [EdmProperty(name: Self.extra, type: .string)])
        model = try EdmModel(schemas: [
            EdmSchema(
                namespace: "NS", types: [place, thing, part], container: "C",
                entitySets: [
                    .init(name: "Things", type: name("Thing"), bindings: [Self.boss: "Things", Self.others: "Things"])
                ])
        ])
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        tables = try SQLiteStore(model: model, path: nil, rules: TableRules(), configuration: configuration)
    }

    func path(_ url: String) throws -> ResourcePath { try QueryParser(model: model).query(url).path }

    func change(_ store: any ODataStore, _ url: String, _ operation: ChangeRequest.Operation) async throws {
        _ = try await store.change(ChangeRequest(try path(url), operation))
    }

    func fill() async throws {
        for id in Int64(1)...3 {
            try await change(
                tables, "Things",
                .create(
                    EntityPayload([
                        "ID": .integer(id), Self.text: .string("{row}\(id)"), Self.number: .integer(10 * id),
                        Self.real: .double(Double(id) / 2), Self.state: .string("s\(id)"), Self.id: .integer(100 + id),
                        Self.bossID: id > 1 ? .integer(id - 1) : .null,
                        Self.place: .complex([Self.zip: .string("z\"\(id)"), "City": .string("c?\(id)")]),
                        Self.dynamic: .string("d{link}\(id)"),
                    ])))
        }
        let others = ResourcePath(
            root: .entitySet(try set), segments: try path("Things(3)").segments + [.navigation(try others, try set)])
        _ = try await tables.change(ChangeRequest(others, .addReference(.path(try path("Things(1)")))))
        var sub = EntityPayload(["ID": .integer(4), Self.extra: .string("{row}?")])
        sub.type = EdmQualifiedName("NS.Sub")
        try await change(tables, "Things", .create(sub))
    }

    var set: EdmEntitySet { get throws { try #require(model.entitySet(named: "Things")) } }
    var others: EdmNavigationProperty {
        get throws { try #require(try set.type.navigationProperty(named: Self.others)) }
    }
    var boss: EdmNavigationProperty { get throws { try #require(try set.type.navigationProperty(named: Self.boss)) } }

    func steps(_ names: String...) throws -> [PropertyPath.Step] {
        var type = try set.type
        return try names.map { name in
            if let navigation = type.navigationProperty(named: name) {
                return .navigation(navigation, try set, try set.type)
            }
            let property = try #require(type.property(named: name))
            if case .complex(let complex) = property.type { type = try #require(model.structuredType(named: complex)) }
            return .property(property)
        }
    }

    func operand(_ steps: [PropertyPath.Step]) throws -> QueryExpression {
        .path(PropertyPath(variableSet: try set, variableType: try set.type, steps: steps))
    }

    /// The keys of the things for which a property has a value.
    func keys(_ store: any ODataStore, _ steps: [PropertyPath.Step], _ value: EdmValue, _ type: EdmTypeReference)
        async throws
        -> [String]
    {
        var query = try QueryParser(model: model).query("Things?$orderby=ID")
        query.options.filter = .binary(.eq, try operand(steps), .literal(value, type))
        return try await store.entities(query).map { ($0["ID"] ?? .null).lexical }
    }

    /// `1 {row}1 10 s1 101`: some values of each thing.
    func lines(_ store: any ODataStore) async throws -> [String] {
        try await store.entities(try QueryParser(model: model).query("Things?$orderby=ID")).map { thing in
            let place: EdmValue =
                if case .complex(let place)? = thing[Self.place] { place[Self.zip] ?? .null } else { .null }
            let values = [thing["ID"], thing[Self.text], thing[Self.state], thing[Self.id], place, thing[Self.dynamic]]
            return values.map { $0?.lexical ?? "-" }.joined(separator: " ")
        }
    }
}

@Suite("Properties that are not named by identifiers, on a device")
struct OddPropertyTests {
    private func made(overHTTP: Bool) async throws -> (service: OddService, device: ShopDevice) {
        let service = try OddService()
        try await service.fill()
        // No URL can name a navigation property of such a name, so nothing is expanded over HTTP.
        let remote: any ODataStore = overHTTP ? try FixedResponses().remote(over: service.tables) : service.tables
        let device = try await ShopDevice(
            [DefiningQuery(name: "things", query: overHTTP ? "Things" : "Things?$expand=*")], remote: remote
        ) { _ in }
        try await device.store.download()
        return (service, device)
    }

    private static let all = [
        #"1 {row}1 s1 101 z"1 d{link}1"#, #"2 {row}2 s2 102 z"2 d{link}2"#, #"3 {row}3 s3 103 z"3 d{link}3"#,
        "4 null null null null -",
    ]

    @Test("Are downloaded, filtered and ordered", arguments: [false, true])
    func reads(overHTTP: Bool) async throws {
        let (service, device) = try await made(overHTTP: overHTTP)
        let store = device.store
        #expect(try await service.lines(service.tables) == Self.all)
        #expect(try await service.lines(store) == Self.all)
        for place in [service.tables, store] as [any ODataStore] {
            #expect(try await service.keys(place, service.steps(OddService.text), .string("{row}2"), .string) == ["2"])
            #expect(
                try await service.keys(place, service.steps(OddService.real), .double(1.5), .primitive(.double)) == [
                    "3"
                ])
            #expect(try await service.keys(place, service.steps(OddService.state), .string("s1"), .string) == ["1"])
            #expect(try await service.keys(place, service.steps(OddService.id), .integer(103), .int32) == ["3"])
            let zip = try service.steps(OddService.place, OddService.zip)
            let found = try await service.keys(place, zip, .string("z\"2"), .string)
            withKnownIssue("SQLite's JSON paths have no escape for quotation marks in names") {
                #expect(found == ["2"])
            }
            let boss = try service.steps(OddService.boss, OddService.text)
            #expect(try await service.keys(place, boss, .string("{row}2"), .string) == ["3"])
            var query = try QueryParser(model: service.model).query("Things")
            query.options.orderBy = [
                OrderItem(expression: try service.operand(service.steps(OddService.number)), isDescending: true)
            ]
            #expect(try await place.entities(query).map { ($0["ID"] ?? .null).lexical } == ["3", "2", "1", "4"])
        }
    }

    @Test("Are expanded")
    func expansions() async throws {
        let (service, device) = try await made(overHTTP: false)
        for place in [service.tables, device.store] as [any ODataStore] {
            let things = try await place.entities(try QueryParser(model: service.model).query("Things?$expand=*"))
            let bosses = things.map { thing -> String in
                guard case .one(let boss?)? = thing.expanded[OddService.boss] else { return "-" }
                return boss[OddService.text]?.lexical ?? "?"
            }
            #expect(bosses == ["-", "{row}1", "{row}2", "-"])
            guard case .many(let others, _)? = things[2].expanded[OddService.others] else {
                Issue.record("Nothing was expanded.")
                continue
            }
            #expect(others.map { $0[OddService.text] } == [.string("{row}1")])
            var query = try QueryParser(model: service.model).query("Things?$orderby=ID")
            let members = PropertyPath(
                variableSet: try service.set, variableType: try service.set.type,
                steps: [.navigation(try service.others, try service.set, try service.set.type)])
            query.options.filter = .lambda(.any, members, variable: "o", predicate: nil)
            #expect(try await place.entities(query).map { $0["ID"] } == [.integer(3)])
        }
    }

    @Test("Are changed, sent, and refreshed by deltas", arguments: [false, true])
    func changes(overHTTP: Bool) async throws {
        let (service, device) = try await made(overHTTP: overHTTP)
        let store = device.store
        try await service.change(
            store, "Things(1)",
            .update(
                EntityPayload([
                    OddService.text: .string(#"x"\?{row}"#), OddService.state: .string("new"),
                    OddService.id: .integer(7),
                    OddService.place: .complex([OddService.zip: .string("z\\")]), OddService.dynamic: .string("d'"),
                ])))
        try await service.change(
            store, "Things",
            .create(
                EntityPayload(["ID": .integer(5), OddService.text: .string("{link}"), OddService.dynamic: .string("5")])
            ))
        try await service.change(store, "Things(2)", .delete)
        let expected = [
            #"1 x"\?{row} new 7 z\ d'"#, #"3 {row}3 s3 103 z"3 d{link}3"#, "4 null null null null -",
            "5 {link} null null null 5",
        ]
        #expect(try await service.lines(store) == expected)
        let report = try await store.upload()
        #expect(report.isComplete, "\(report.failed)")
        #expect(try await service.lines(service.tables) == expected)
        #expect(try await service.lines(store) == expected)
        try await service.change(
            service.tables, "Things(3)", .update(EntityPayload([OddService.text: .string("late{row}")])))
        try await service.change(service.tables, "Things(4)", .delete)
        try await store.download()
        #expect(
            try await service.lines(store) == [
                #"1 x"\?{row} new 7 z\ d'"#, #"3 late{row} s3 103 z"3 d{link}3"#, "5 {link} null null null 5",
            ])
    }

    @Test("Are bound and linked")
    func references() async throws {
        let (service, device) = try await made(overHTTP: false)
        let store = device.store
        let one = EntityReference.path(try service.path("Things(1)"))
        try await service.change(
            store, "Things(3)",
            .update(EntityPayload([:], bindings: [.init(navigation: OddService.boss, references: [one])])))
        func others(_ id: Int) throws -> ResourcePath {
            ResourcePath(
                root: .entitySet(try service.set),
                segments: try service.path("Things(\(id))").segments + [
                    .navigation(try service.others, try service.set)
                ])
        }
        _ = try await store.change(ChangeRequest(try others(3), .removeReference(one)))
        _ = try await store.change(
            ChangeRequest(try others(2), .addReference(.path(try service.path("Things(4)")))))
        let report = try await store.upload()
        #expect(report.isComplete, "\(report.failed)")
        for place in [service.tables, store] as [any ODataStore] {
            let boss = try service.steps(OddService.boss, "ID")
            #expect(try await service.keys(place, boss, .integer(1), .int32) == ["2", "3"])
            let members = try await place.entities(BoundQuery(path: try others(2)))
            #expect(members.map { $0["ID"] } == [.integer(4)])
            #expect(try await place.entities(BoundQuery(path: try others(3))).isEmpty)
        }
    }
}
