import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// A service with parents, children, grandchildren and tags, whose keys are of one type and made by the service.
final class KeyService: ODataStore {
    /// The response to a creation.
    enum Response: String, CaseIterable, Sendable {
        /// 201 with the entity.
        case entity
        /// 201 without a body, with a relative `Location`.
        case relativeLocation
        /// 201 without a body, with an absolute `Location`.
        case absoluteLocation
        /// 204 with `OData-EntityId`, and the key as a path.
        case path
        /// Against the standard: not even a `Location`.
        case nothing
    }

    let base: SQLiteStore
    private let keyType: EdmPrimitiveType
    private let response: Response
    private let made = Mutex<Int64>(0)
    private let failing = Mutex<Int64>(.max)

    init(_ keyType: EdmPrimitiveType, response: Response = .entity) async throws {
        self.keyType = keyType
        self.response = response
        base = try SQLiteStore(model: try Self.model(keyType))
        try await base.load([
            StoredEntity("Parents", EntityPayload(["ID": value(1), "Name": .string("first")])),
            StoredEntity(
                "Children", EntityPayload(["ID": value(1), "ParentID": value(1), "Name": .string("first")])),
            StoredEntity("Tags", EntityPayload(["ID": value(1), "Name": .string("first")])),
        ])
        made.withLock { $0 = 1 }
    }

    /// Changes are unreachable from this one on, counted from now.
    func fail(after count: Int64?) { failing.withLock { $0 = count ?? .max } }

    func value(_ number: Int64) -> EdmValue {
        switch keyType {
        case .string: .string("key \(number)")
        case .guid:
            EdmValue(lexical: "00000000-0000-0000-0000-0000000000\(10 + number)", type: .primitive(.guid)) ?? .null
        case .decimal: .decimal(EdmDecimal(100 + number))
        case .date: .date(EdmDate(daysSinceEpoch: 19_000 + Int(number)))
        case .dateTimeOffset: .dateTimeOffset(EdmDateTimeOffset(secondsSinceEpoch: 1_700_000_000 + number))
        case .duration: .duration(EdmDuration(seconds: 60 * number))
        default: .integer(100 + number)
        }
    }

    func model() async throws -> EdmModel { try await base.model() }
    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try failing.withLock { left in
            guard left > 0 else { throw ODataError(.unreachable, "Cut on purpose.") }
            left -= 1
        }
        return withoutEntity(try await base.change(keyed(request)))
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        try await base.changeSet(requests.map(keyed)).map(withoutEntity)
    }

    /// Gives a new entity its key; one that the client has given becomes another.
    private func keyed(_ request: ChangeRequest) -> ChangeRequest {
        guard case .create(var payload) = request.operation, request.target.entitySet?.type.key == ["ID"] else {
            return request
        }
        let number = made.withLock { made in
            made += 1
            return made
        }
        payload.properties["ID"] = value(number)
        var request = request
        request.operation = .create(payload)
        return request
    }

    private func withoutEntity(_ result: ChangeResult) -> ChangeResult {
        guard result.outcome == .created, response != .entity else { return result }
        var result = result
        result.entity = nil
        result.etag = nil
        guard response != .path else {
            result.entityID = nil
            return result
        }
        guard response != .nothing else { return ChangeResult(.created) }
        result.entityID = (response == .absoluteLocation ? "https://host/service/" : "") + (result.path?.url ?? "")
        result.path = nil
        return result
    }

    private static func model(_ key: EdmPrimitiveType) throws -> EdmModel {
        let name = { EdmQualifiedName(namespace: "K", name: $0) }
        let id = EdmProperty(name: "ID", type: .primitive(key), isNullable: false)
        let label = EdmProperty(name: "Name", type: .string)
        let toOne: (String, String, String, String) -> EdmNavigationProperty = { navigation, type, property, partner in
            EdmNavigationProperty(
                name: navigation, target: name(type), isCollection: false, partner: partner,
                constraints: [.init(property: property, referencedProperty: "ID")])
        }
        let toMany: (String, String, String) -> EdmNavigationProperty = { navigation, type, partner in
            EdmNavigationProperty(name: navigation, target: name(type), isCollection: true, partner: partner)
        }
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "K",
                types: [
                    EdmStructuredTypeDeclaration(
                        name: name("Parent"), key: ["ID"], properties: [id, label],
                        navigationProperties: [
                            toMany("Children", "Child", "Parent"), toMany("Tags", "Tag", "Parents"),
                            EdmNavigationProperty(name: "Favorite", target: name("Tag"), isCollection: false),
                        ]),
                    EdmStructuredTypeDeclaration(
                        name: name("Child"), key: ["ID"],
                        properties: [id, EdmProperty(name: "ParentID", type: .primitive(key)), label],
                        navigationProperties: [
                            toOne("Parent", "Parent", "ParentID", "Children"),
                            toMany("Grandchildren", "Grandchild", "Child"),
                        ]),
                    EdmStructuredTypeDeclaration(
                        name: name("Grandchild"), key: ["ChildID", "Line"],
                        properties: [
                            EdmProperty(name: "ChildID", type: .primitive(key), isNullable: false),
                            EdmProperty(name: "Line", type: .int32, isNullable: false), label,
                        ], navigationProperties: [toOne("Child", "Child", "ChildID", "Grandchildren")]),
                    EdmStructuredTypeDeclaration(
                        name: name("Tag"), key: ["ID"], properties: [id, label],
                        navigationProperties: [toMany("Parents", "Parent", "Tags")]),
                ], container: "C",
                entitySets: [
                    EdmEntitySetDeclaration(
                        name: "Parents", type: name("Parent"),
                        bindings: ["Children": "Children", "Tags": "Tags", "Favorite": "Tags"]),
                    EdmEntitySetDeclaration(
                        name: "Children", type: name("Child"),
                        bindings: ["Parent": "Parents", "Grandchildren": "Grandchildren"]),
                    EdmEntitySetDeclaration(
                        name: "Grandchildren", type: name("Grandchild"), bindings: ["Child": "Children"]),
                    EdmEntitySetDeclaration(name: "Tags", type: name("Tag"), bindings: ["Parents": "Parents"]),
                ])
        ])
    }
}

/// An offline store over a ``KeyService``.
struct KeyDevice {
    let service: KeyService
    let store: OfflineStore
    private let folder: TemporaryFolder

    init(
        _ keyType: EdmPrimitiveType, response: KeyService.Response = .entity, deepInserts: DeepInsertForm = .automatic
    ) async throws {
        service = try await KeyService(keyType, response: response)
        folder = try TemporaryFolder()
        var configuration = Device.configuration()
        configuration.deepInserts = deepInserts
        store = try OfflineStore(folder: folder.path + "/store", remote: service, configuration: configuration)
        try await store.open()
        for set in ["Parents?$expand=Tags,Favorite", "Children", "Grandchildren", "Tags"] {
            try store.addQuery(.init(name: String(set.prefix(4)), query: set))
        }
        try await store.download()
    }

    func entities(_ url: String) async throws -> [EdmEntity] { try await store.entities(try await store.query(url)) }

    func names(_ url: String) async throws -> [String] {
        try await entities(url).map { $0["Name"]?.lexical ?? "" }
    }

    /// What the service has.
    func served(_ url: String) async throws -> [String] {
        try await service.entities(try await store.query(url)).map { $0["Name"]?.lexical ?? "" }
    }

    /// The id of the new entity.
    func create(_ set: String, _ json: String) async throws -> String {
        let path = try store.path(set)
        let result = try await store.change(ChangeRequest(path, .create(try await store.payload(json, for: path))))
        return result.path?.url ?? ""
    }

    func refer(_ navigation: String, to target: String) async throws {
        _ = try await store.change(
            ChangeRequest(try store.path(navigation), .addReference(.path(try store.path(target)))))
    }

    /// `Parents(-2147483647)` → `-2147483647`
    func literal(_ id: String) -> String { String(id.drop { $0 != "(" }.dropFirst().dropLast()) }
}
