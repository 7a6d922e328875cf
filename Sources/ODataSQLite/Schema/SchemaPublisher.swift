import GRDB
import ODataModel
import ODataSQL
import ODataStores

/// Builds an entity data model from the tables of a file.
struct SchemaPublisher {
    let db: Database
    let configuration: SQLiteStore.Configuration
    /// The changes that the file's table of stream versions records.
    let streamVersions: StreamVersions.Contents
    /// Whether triggers maintain the versions, so that content need not be read.
    let hasTriggers: Bool
    /// Whether missing indexes of foreign keys are created.
    let makesIndexes: Bool
    private(set) var notices: [String] = []
    private var fits: [String: [ColumnFit]] = [:]

    init(
        db: Database, configuration: SQLiteStore.Configuration, streamVersions: StreamVersions.Contents = .nothing,
        hasTriggers: Bool = false, makesIndexes: Bool = false
    ) {
        self.db = db
        self.configuration = configuration
        self.streamVersions = streamVersions
        self.hasTriggers = hasTriggers
        self.makesIndexes = makesIndexes
    }

    /// - Parameter name: the name of the file without its extension, which determines the namespace.
    mutating func publish(as name: String) throws -> PublishedSchema {
        var tables = try publishedTables()
        try takeIndexes(&tables)
        let navigation = NavigationPublisher(tables: tables).navigation()
        let namespace = Self.namespace(name)
        let schema = ModelBuilder(
            namespace: namespace, tables: tables, navigation: navigation, tracksChanges: configuration.tracksChanges
        ).schema()
        let model: EdmModel
        do { model = try EdmModel(schemas: [schema]) } catch {
            throw ODataError(
                .unusableStore, "The file's tables cannot be published as a model: \(error.message)", cause: error)
        }
        let versions: RowSourceBuilder.Versions =
            hasTriggers ? .complete : streamVersions != .nothing ? .ofOwnChanges : .none
        let builder = RowSourceBuilder(versions: versions, keepsTypes: streamVersions == .versionsAndTypes)
        let sources = tables.map { ($0.set, builder.source(of: $0, navigation: navigation[$0.set] ?? [])) }
        return PublishedSchema(
            model: model, tables: Dictionary(uniqueKeysWithValues: tables.map { ($0.set, $0) }),
            rowSources: Dictionary(uniqueKeysWithValues: sources), notices: notices, fits: fits)
    }

    /// Creates missing indexes of foreign keys if the configuration requires that; otherwise adds notices about them.
    private mutating func takeIndexes(_ tables: inout [PublishedTable]) throws {
        for index in NavigationPublisher(tables: tables).missingIndexes() {
            guard makesIndexes, index.isOfUse else {
                notices.append(index.notice)
                continue
            }
            try db.execute(sql: index.sql)
            for position in tables.indices where tables[position].name == index.table {
                tables[position].description.indexes = try TableReader(db: db).indexes(of: index.table)
            }
        }
    }

    /// `sales 2024` → `sales_2024`; names that the standard reserves get a `_`.
    static func namespace(_ name: String) -> String {
        let identifier = IdentifierNames.identifier(name)
        return ["edm", "odata", "system", "transient"].contains(identifier.lowercased()) ? identifier + "_" : identifier
    }

    private mutating func publishedTables() throws -> [PublishedTable] {
        let descriptions = try TableReader(db: db).tables(notices: &notices)
        var names = IdentifierNames(reserved: [ModelBuilder.container])
        var published: [PublishedTable] = []
        var known: Set<String> = []
        for description in descriptions {
            let set = names.name(for: description.name)
            known.formUnion([description.name, set])
            guard let key = try key(of: description, set: set) else { continue }
            if let table = try publish(description, set: set, key: key) { published.append(table) }
        }
        try checkConfiguration(known: known)
        return published
    }

    /// The key columns: configured ones before declared ones. Nil, with a notice, if there are none.
    private mutating func key(of table: TableDescription, set: String) throws -> [String]? {
        guard let configured = configuration.keys[table.name] ?? configuration.keys[set] else {
            if table.primaryKey.isEmpty {
                let kind = table.kind == .view ? "view" : "table"
                notices.append(
                    "The \(kind) \(table.name) has no key and is left out; name one to publish it read-only.")
                return nil
            }
            return table.primaryKey
        }
        return try configured.map { name in
            let found = table.columns.first {
                $0.name.lowercased() == name.lowercased() || IdentifierNames.identifier($0.name) == name
            }
            guard let found else {
                throw ODataError(.badRequest, "The key names the column \(name), which \(table.name) does not have.")
            }
            return found.name
        }
    }

    private mutating func publish(_ table: TableDescription, set: String, key: [String]) throws -> PublishedTable? {
        let fits = try ColumnScan(db: db, table: table).fits()
        self.fits[set] = fits
        try checkMedia(of: table, set: set)
        var builder = PublishedTableBuilder(table: table, set: set, key: key)
        for (column, fit) in zip(table.columns, fits) {
            let media = configuration.media.first {
                ($0.set == set || $0.set == table.name)
                    && ($0.column == column.name || $0.column == IdentifierNames.identifier(column.name))
            }
            builder.add(column, fit: fit, media: media)
        }
        let built = builder.built()
        notices += builder.notices
        guard var published = built else { return nil }
        guard try !Self.hasEqualKeys(published, in: db) else {
            notices.append("\(table.name) is left out: several of its rows are shown with the same key.")
            return nil
        }
        published.hidesNullKeys = try Self.hasNullKeys(published, in: db)
        if published.hidesNullKeys {
            notices.append("Rows of \(table.name) whose key is null are not shown.")
        }
        return published
    }

    /// Streams are BLOBs: a column with another declared type cannot contain bytes.
    private func checkMedia(of table: TableDescription, set: String) throws {
        for media in configuration.media where media.set == set || media.set == table.name {
            guard let column = table.column(media.column) else {
                throw ODataError(
                    .badRequest, "The stream of \(media.set) names the column \(media.column), which it does not have.")
            }
            let meaning = DeclaredType(column.declaredType).meaning
            guard meaning == .blob || meaning == .none, column.keyPosition == 0 else {
                throw ODataError(
                    .badRequest,
                    "The column \(table.name).\(column.name) is declared \(column.declaredType): a stream must "
                        + "be a BLOB that is not a key."
                )
            }
            for (name, role) in [(media.typeColumn, "type"), (media.nameColumn, "file name")] {
                try checkColumn(name, for: role, of: table)
            }
        }
    }

    /// The columns of the media type and the file name of streams.
    private func checkColumn(_ name: String?, for role: String, of table: TableDescription) throws {
        guard let name else { return }
        guard let column = table.column(name) else {
            throw ODataError(
                .badRequest, "The \(role) of streams names the column \(name), which \(table.name) does not have.")
        }
        let meaning = DeclaredType(column.declaredType).meaning
        guard meaning == .text || meaning == .none, column.keyPosition == 0, !column.isGenerated else {
            throw ODataError(
                .badRequest,
                "The column \(table.name).\(column.name) cannot have the \(role) of streams: it must be text, not a key and not computed."
            )
        }
    }

    /// Whether the values of a schema's tables are still of the types that they were published with.
    static func fits(_ schema: PublishedSchema, in db: Database) throws -> Bool {
        StoredForm.install(on: db)
        defer { StoredForm.remove(from: db) }
        for (set, table) in schema.tables {
            try WorkClock.check(db)
            guard try ColumnScan(db: db, table: table.description).fits() == schema.fits[set] else { return false }
            guard try table.hidesNullKeys || !hasNullKeys(table, in: db) else { return false }
            guard try !hasEqualKeys(table, in: db) else { return false }
        }
        return true
    }

    /// Whether different keys of SQLite are shown as the same key: `1` and `'1'` of a column without a type, or GUIDs
    /// that differ in case.
    private static func hasEqualKeys(_ table: PublishedTable, in db: Database) throws -> Bool {
        guard table.key.contains(where: { $0.isShown || $0.codec == .guidText }) else { return false }
        let key = table.key.map { column in
            let name = quoted(column.name)
            if column.codec == .guidText { return "lower(\(name))" }
            return column.isShown ? "\(ShownText.function)(\(name))" : name
        }
        let isKey = key.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let rows = "SELECT 1 FROM \(quoted(table.name)) WHERE \(isKey)"
        let sql = "SELECT EXISTS (\(rows) GROUP BY \(key.joined(separator: ", ")) HAVING count(*) > 1)"
        return try Bool.fetchOne(db, sql: sql) ?? false
    }

    private static func hasNullKeys(_ table: PublishedTable, in db: Database) throws -> Bool {
        let nullable = table.key.filter { !$0.description.isNotNull && $0.name != table.description.rowIDAlias }
        guard !nullable.isEmpty else { return false }
        let condition = nullable.map { "\(quoted($0.name)) IS NULL" }.joined(separator: " OR ")
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted(table.name)) WHERE \(condition))")
            ?? false
    }

    private func checkConfiguration(known: Set<String>) throws {
        for name in configuration.media.map(\.set) + configuration.keys.keys.sorted() where !known.contains(name) {
            throw ODataError(.badRequest, "There is no table or view \(name) in this file.")
        }
    }
}
