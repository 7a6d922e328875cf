import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores
import Synchronization

/// What a store knows once it has the service's metadata: the model with the store's own sets, where their rows are,
/// and what reads and parses with them.
struct OfflineModel: Sendable {
    private let declared: ServiceModel
    let locals: LocalSets?
    let model: EdmModel
    let schema: LocalSchema
    let executor: QueryExecutor
    let readExecutors = ReadExecutors()
    let parser: QueryParser

    /// - Parameter metadata: The metadata document as it is kept in the store.
    init(metadata: [UInt8], locals: LocalSets?) throws {
        let service: EdmModel
        do { service = try CSDL.read(xml: metadata, limits: .ofKnownMetadata).model } catch {
            throw ODataError(.unusableStore, "The metadata kept in the store cannot be read.", cause: error)
        }
        try self.init(service: service, locals: locals)
    }

    init(service: EdmModel, locals: LocalSets?) throws { try self.init(service: ServiceModel(service), locals: locals) }

    init(service: ServiceModel, locals: LocalSets?) throws {
        try locals?.check(with: service.model)
        declared = service
        self.locals = locals
        let own = SystemSets(service: service)
        // What is wrong in the service's metadata was reported when it was read.
        model =
            EdmModel.unchecked(
                schemas: service.schemas + own.schemas(beside: service) + (locals?.schemas ?? []),
                references: service.references)
        schema = LocalSchema(model: model, views: own.views)
        executor = QueryExecutor(model: model, mapping: schema)
        parser = QueryParser(model: model)
    }

    /// The service's model, without the store's own sets.
    var service: EdmModel { declared.model }

    /// Whether the set is on the device only.
    func isLocal(_ set: String) -> Bool { locals?.names.contains(set) ?? false }

    func set(named name: String) throws -> EdmEntitySet {
        guard let set = model.entitySet(named: name) else {
            throw ODataError(.internalError, "The store's metadata has no entity set \(name).")
        }
        return set
    }
}

/// The service's model, made when it is first asked for: reads and changes use the one with the store's own sets.
final class ServiceModel: Sendable {
    let schemas: [EdmSchema]
    let references: [EdmReference]
    private let made: Mutex<EdmModel?>

    init(_ model: EdmModel) {
        (schemas, references) = (model.schemas, model.references)
        made = Mutex(model)
    }

    init(_ contents: CompiledModel.Contents) {
        (schemas, references) = (contents.schemas, contents.references)
        made = Mutex(nil)
    }

    var model: EdmModel {
        made.withLock { made in
            // What is wrong in the service's metadata was reported when it was read.
            let model = made ?? EdmModel.unchecked(schemas: schemas, references: references)
            made = model
            return model
        }
    }

    func hasEntitySet(named name: String) -> Bool {
        // A declaration does not count if its type is unknown.
        schemas.contains { $0.entitySets.contains { $0.name == name } } && model.entitySet(named: name) != nil
    }
}

/// The request queue, the error archive and the events as entity sets that can be queried like others.
struct SystemSets {
    let schema: EdmSchema
    let views: [String: RowSource]

    static let namespace = LocalFunction.namespace
    /// Of the entries of the error archive.
    static let errorType = EdmQualifiedName(namespace: namespace, name: "FailedRequest")

    init(service: ServiceModel) {
        let queue = SystemSet(
            name: "RequestQueue", type: "QueuedRequest", table: StoreTable.queue.name, key: "ID",
            columns: [
                ("ID", "id", .int64), ("Position", "id", .int64), ("Method", "method", .string),
                ("URL", "url", .string), ("Headers", "headers", .string), ("Body", "body", .string),
                ("Tag", "tag", .string), ("Category", "category", .string), ("State", "state", .string),
                ("DependsOn", "dependsOn", .collection(.int64)), ("ChangeSet", "changeSet", .int64),
                ("Operation", "operation", .string), ("EntitySet", "set", .string), ("Entity", "entity", .string),
                ("Attempts", "attempts", .int64), ("RequestID", "requestID", .string),
                ("ExactlyOnce", "mechanism", .string), ("Created", "created", .primitive(.dateTimeOffset)),
                ("LastSent", "sent", .primitive(.dateTimeOffset)),
            ])
        let archive = SystemSet(
            name: "ErrorArchive", type: Self.errorType.name, table: StoreTable.error.name, key: "ID",
            columns: [
                ("ID", "id", .int64), ("RequestID", "entry", .int64), ("Status", "status", .int64),
                ("Code", "code", .string), ("Message", "message", .string), ("Target", "target", .string),
                ("Details", "details", .string), ("InnerError", "innerError", .string),
                ("Method", "method", .string), ("URL", "url", .string), ("Body", "body", .string),
                ("Entity", "entity", .string), ("Occurred", "occurred", .primitive(.dateTimeOffset)),
            ])
        let events = SystemSet(
            name: "EventLog", type: "StoreEvent", table: StoreTable.event.name, key: "ID",
            columns: [
                ("ID", "id", .int64), ("Kind", "kind", .string),
                ("Started", "started", .primitive(.dateTimeOffset)), ("Ended", "ended", .primitive(.dateTimeOffset)),
                ("Outcome", "outcome", .string), ("Message", "message", .string), ("Counts", "counts", .string),
            ])
        var views: [String: RowSource] = [:]
        var declarations: [EdmEntitySetDeclaration] = []
        for set in [queue, archive, events] {
            let name = service.hasEntitySet(named: set.name) ? "Offline" + set.name : set.name
            views[name] = set.source
            declarations.append(
                EdmEntitySetDeclaration(name: name, type: set.qualifiedName))
        }
        schema = EdmSchema(
            namespace: Self.namespace, types: [queue.declaration, archive.declaration, events.declaration],
            operations: LocalFunction.operations(inSAPNamespace: false), entitySets: declarations)
        self.views = views
    }

    /// The schema of the store's own, and one with the names that SAP's stores have for its functions, unless the
    /// service has a schema of that name.
    func schemas(beside service: ServiceModel) -> [EdmSchema] {
        let sap = LocalFunction.sapNamespace
        guard !service.schemas.contains(where: { $0.namespace == sap || $0.alias == sap }) else { return [schema] }
        return [schema, EdmSchema(namespace: sap, operations: LocalFunction.operations(inSAPNamespace: true))]
    }
}

/// One set of the store's own.
private struct SystemSet {
    var name: String
    var type: String
    var table: String
    var key: String
    /// Property, column, type.
    var columns: [(String, String, EdmTypeReference)]

    var qualifiedName: EdmQualifiedName { EdmQualifiedName(namespace: SystemSets.namespace, name: type) }

    var declaration: EdmStructuredTypeDeclaration {
        EdmStructuredTypeDeclaration(
            name: qualifiedName, key: [key],
            properties: columns.map { EdmProperty(name: $0.0, type: $0.2, isNullable: $0.0 != key) })
    }

    var source: RowSource {
        let mapped = columns.map { ($0.0, ColumnMapping(column: $0.1, codec: ColumnCodec(local: $0.2))) }
        return RowSource(
            table: table, rowID: "id", columns: Dictionary(mapped, uniquingKeysWith: { first, _ in first }))
    }
}
