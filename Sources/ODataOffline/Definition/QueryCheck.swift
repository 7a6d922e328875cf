import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Checks that the store can hold the result of a defining query.
struct QueryCheck {
    let offline: OfflineModel

    func bound(_ definition: DefiningQuery) throws -> BoundQuery {
        let query: BoundQuery
        do { query = try offline.parser.query(definition.query) } catch {
            throw ODataError(query: error, in: "The defining query \(definition.name)")
        }
        try check(query, named: definition.name)
        if let name = offline.localFunctions(of: query).first {
            throw ODataError(
                .badRequest, "The defining query \(definition.name) calls \(name), which only the store can evaluate.")
        }
        _ = try ChangedSinceQuery(definition, bound: query, offline: offline)
        return query
    }

    /// The query for the service, with all properties that the store needs.
    func completed(_ definition: DefiningQuery) throws -> (query: BoundQuery, since: ChangedSinceQuery?) {
        let asked = QueryCompletion(offline: offline).complete(try bound(definition))
        let since = try ChangedSinceQuery(definition, bound: asked, offline: offline)
        return (since?.complete ?? asked, since)
    }

    private func check(_ query: BoundQuery, named name: String) throws {
        let subject = "The defining query \(name)"
        if case .value = query.path.suffix {
            throw ODataError(
                .badRequest,
                "\(subject) ends with /$value: use the media entity's read link, \(query.path.resource.url).")
        }
        switch query.path.target {
        case .collection, .entity: break
        default: throw ODataError(.badRequest, "\(subject) leads to a property: it must lead to entities.")
        }
        guard query.path.suffix == nil, let table = offline.table(at: query.path) else {
            throw ODataError(.badRequest, "\(subject) must lead to the entities of a set of the service.")
        }
        guard !offline.isLocal(table.set.name) else {
            throw ODataError(.badRequest, "\(subject) uses \(table.set.name), which is on the device only.")
        }
        try checkKey(of: table, subject: subject)
        try checkColumns(of: table, subject: subject)
        if let container = table.container {
            throw ODataError(
                .notImplemented,
                """
                \(subject) leads to contained entities, which are kept with those that contain them: ask for these \
                with $expand=\(container.navigation.name).
                """)
        }
        if query.options.apply != nil || !query.options.compute.isEmpty {
            throw ODataError(
                .badRequest, "\(subject) has $apply or $compute: its results are not entities of the service.")
        }
        if query.options.expandsStreams {
            throw ODataError(
                .badRequest, "\(subject) has a stream in $expand: use retrievesStreams to download streams.")
        }
        if query.options.skipToken != nil || query.options.deltaToken != nil {
            throw ODataError(
                .badRequest, "\(subject) has $skiptoken or $deltatoken: the store keeps next and delta links itself.")
        }
        let type = query.path.entityType(in: offline.model) ?? table.set.type
        try check(query.options.expand, of: table, type, subject: subject)
    }

    private func check(_ items: [ExpandItem], of table: LocalTable, _ type: EdmStructuredType, subject: String) throws {
        for item in items {
            let owner = item.castType ?? type
            let name = item.navigation.name
            let isNested = item.prefix.contains { if case .cast = $0 { false } else { true } }
            guard item.form == .entities, !isNested,
                let storage = offline.schema.storage(of: table.set.name, name, as: owner),
                let target = offline.schema.tables[storage.targetSet]
            else {
                throw ODataError(
                    .notImplemented, "\(subject) expands \(name) in a way the store cannot hold.")
            }
            if let other = offline.schema.otherType(withNavigation: name, in: table.set.name, below: owner) {
                throw ODataError(
                    .notImplemented,
                    """
                    \(subject) expands \(name), which leads to another set for entities of the type \(other.name): expand \
                    \(other.name)/\(name) and what other types have, each with its type.
                    """)
            }
            if target.container == nil || item.navigation.isCollection { try checkKey(of: target, subject: subject) }
            try checkColumns(of: target, subject: subject)
            try check(item.options.expand, of: target, item.targetType, subject: subject)
        }
    }

    /// The number of holder words that fit into any table.
    private static let holderWords = 8

    /// SQLite limits the columns of a table; the tables of contained entities are created together with that of their
    /// container.
    private func checkColumns(of table: LocalTable, subject: String) throws {
        let (count, limit) = (table.columnCount(holderWords: Self.holderWords), LocalTable.columnLimit)
        guard count <= limit else {
            throw ODataError(
                .badRequest,
                "\(subject) leads to \(table.set.name), whose type \(table.set.type.name) takes \(count) columns in the "
                    + "store, where SQLite takes at most \(limit). Read it from the service.")
        }
        for contained in offline.schema.contained(in: table.set.name) {
            try checkColumns(of: contained, subject: subject)
        }
    }

    /// Without a key the entities of a set cannot be distinguished.
    private func checkKey(of table: LocalTable, subject: String) throws {
        for set in [table] + offline.schema.contained(in: table.set.name) {
            if let error = set.set.nestedKeyError { throw error }
        }
        guard table.set.kind != .singleton, table.set.type.key.isEmpty else { return }
        throw ODataError(
            .badRequest,
            "\(subject) leads to \(table.set.name), whose type \(table.set.type.name) has no key: the store cannot report its "
                + "entities apart. Read them from the service.")
    }
}

extension ODataError {
    /// The error of a store for an error in a URL.
    init(query error: QueryError, in subject: String? = nil) {
        let message = subject.map { "\($0): \(error)" } ?? "\(error)"
        self.init(error.code == .notImplemented ? .notImplemented : .badRequest, message, cause: error)
    }
}
