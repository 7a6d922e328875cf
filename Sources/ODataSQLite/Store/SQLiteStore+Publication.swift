import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// A file's schema, and what reads and parses with it. All of one look at the file.
struct Publication: Sendable {
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

    /// What of the file is not published, or not as it is declared: a sentence each.
    public var notices: [String] { schema.notices }

    /// What is published. It changes when a read has met a value that another program wrote and that is not of its
    /// property's type: the property is an `Edm.String` from then on. Values are looked at again when another program has
    /// committed, though not all the time with a large file. It changes too when another program has changed the
    /// file's schema, and when another file has taken its place.
    public func model() async throws -> EdmModel {
        let current = schema
        let places = current.misfits.take()
        do {
            return try await withFile { opened in
                let (version, isNews) = try await opened.pool.read {
                    (try FilePreparation.schemaVersion($0), try opened.commits.isNews($0))
                }
                let fits = try await stillFits(current, in: opened, isNews: isNews)
                guard !places.isEmpty || version != current.version || !fits else { return current.model }
                return try await publishAgain(places, after: current, in: opened)
            }
        } catch {
            current.misfits.restore(places)
            throw ODataError.storage(error)
        }
    }

    /// Whether the values are still of the types that they were published with. They are looked at where another program
    /// has committed.
    private func stillFits(_ schema: PublishedSchema, in opened: OpenedFile, isNews: Bool) async throws -> Bool {
        guard declared == nil else { return true }
        let commits = opened.commits
        if isNews {
            if configuration.isReadOnly {
                commits.noteNews()
            } else if commits.mayAsk {
                do { try await opened.pool.writeWithoutTransaction { try commits.look($0) } } catch {
                    // This connection will not tell it again.
                    commits.noteNews()
                    throw error
                }
            }
        }
        return try await commits.stillFits { try await opened.pool.read { try SchemaPublisher.fits(schema, in: $0) } }
    }

    private func publishAgain(
        _ places: Set<MisfitLog.Place>, after old: PublishedSchema, in opened: OpenedFile
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
        opened.publication.withLock { $0 = Publication(new) }
        for notice in new.notices where !old.notices.contains(notice) { configuration.onNotice?(notice) }
        return new.model
    }

    /// The configuration names what is not in the file any more.
    private func unpublishable(_ error: ODataError) -> ODataError {
        configuration.onNotice?("\(path) was changed and is not served any more: \(error.message)")
        return ODataError(
            .busy, "Another program has changed the tables of the file, so that it cannot be served as it was.",
            cause: error)
    }
}

extension PublishedSchema {
    fileprivate func type(at place: MisfitLog.Place) -> EdmPrimitiveType? {
        tables[place.set]?.column(ofProperty: place.property)?.type
    }
}
