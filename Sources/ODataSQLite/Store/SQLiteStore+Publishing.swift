import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// A file's schema with its parser and executor, from one scan of the file.
struct SchemaSnapshot: Sendable {
    let schema: PublishedSchema
    let executor: QueryExecutor
    let parser: QueryParser

    init(_ schema: PublishedSchema) {
        self.schema = schema
        var executor = QueryExecutor(model: schema.model, mapping: schema)
        executor.budget = .service
        self.executor = executor
        parser = QueryParser(model: schema.model)
    }
}

extension SQLiteStore {
    var schema: PublishedSchema { opened.publication.withLock { $0.schema } }
    var executor: QueryExecutor { opened.publication.withLock { $0.executor } }
    var parser: QueryParser { opened.publication.withLock { $0.parser } }

    /// The parts of the file that are not published, or not as declared, one sentence each.
    public var notices: [String] { schema.notices }

    /// The published model. It changes when a read finds a value of another program that is not of its property's type:
    /// the property becomes an `Edm.String`. Values are scanned again after commits of other programs, with pauses for
    /// a large file. It also changes when another program changes the file's schema, and when another file replaces the
    /// file.
    public func model() async throws -> EdmModel {
        let current = schema
        let places = current.misfits.removeAll()
        do {
            return try await withFile { opened in
                let (version, isNews, state) = try await executor.scheduler.read(opened.pool, for: WorkScope()) {
                    (
                        try FilePreparation.schemaVersion($0), try opened.commits.isNews($0),
                        ExternalCommitDetector.state(of: $0)
                    )
                }
                // The values of tables that have changed are read when they are published again.
                if places.isEmpty, version == current.version,
                    try await stillFits(current, in: opened, isNews: isNews)
                {
                    opened.commits.noteChecked(state)
                    return current.model
                }
                return try await publishAgain(places, after: current, in: opened)
            }
        } catch {
            current.misfits.restore(places)
            throw ODataError.storage(error)
        }
    }

    /// Whether the values are still of their published types. They are checked after commits of another program.
    private func stillFits(_ schema: PublishedSchema, in opened: OpenedFile, isNews: Bool) async throws -> Bool {
        guard declared == nil else { return true }
        let commits = opened.commits
        if isNews {
            if configuration.isReadOnly {
                commits.noteNews()
            } else if commits.mayAsk {
                do { try await opened.pool.writeWithoutTransaction { try commits.look($0) } } catch {
                    // This connection does not report the commit again.
                    commits.noteNews()
                    throw error
                }
            }
        }
        return try await commits.stillFits { try await opened.pool.read { try SchemaPublisher.fits(schema, in: $0) } }
    }

    private func publishAgain(
        _ places: Set<MismatchedValueLog.Place>, after old: PublishedSchema, in opened: OpenedFile
    ) async throws -> EdmModel {
        let preparation = FilePreparation(
            path: path, configuration: configuration, changeLog: opened.changeLog, declared: declared)
        let new: PublishedSchema
        do {
            new =
                try await configuration.isReadOnly
                ? reading { try preparation.published($0) }
                : write { db in
                    let schema = try preparation.prepared(db)
                    try opened.streamFiles?.watch(schema, in: db)
                    return schema
                }
        } catch let error as ODataError where error.code == .badRequest {
            throw unpublishable(error)
        }
        let unchanged = places.filter { old.type(at: $0) == new.type(at: $0) }
        new.misfits.settle(unchanged, besides: old.misfits)
        opened.publication.withLock { $0 = SchemaSnapshot(new) }
        for notice in new.notices where !old.notices.contains(notice) { configuration.onNotice?(notice) }
        return new.model
    }

    /// The configuration refers to tables or columns that no longer exist.
    private func unpublishable(_ error: ODataError) -> ODataError {
        configuration.onNotice?("\(path) was changed and is no longer served: \(error.message)")
        return ODataError(
            .busy, "Another program has changed the tables of the file, so that it cannot be served as it was.",
            cause: error)
    }
}

extension PublishedSchema {
    fileprivate func type(at place: MismatchedValueLog.Place) -> EdmPrimitiveType? {
        tables[place.set]?.column(ofProperty: place.property)?.type
    }
}
