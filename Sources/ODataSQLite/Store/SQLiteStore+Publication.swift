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
    var schema: PublishedSchema { publication.withLock { $0.schema } }
    var executor: QueryExecutor { publication.withLock { $0.executor } }
    var parser: QueryParser { publication.withLock { $0.parser } }

    /// What of the file is not published, or not as it is declared: a sentence each.
    public var notices: [String] { schema.notices }

    /// What is published. It changes when a read has met a value that another program wrote and that is none of its
    /// property's type: the property is an `Edm.String` from then on.
    public func model() async throws -> Model {
        let current = schema
        let places = current.misfits.take()
        guard !places.isEmpty else { return current.model }
        do { return try await publishAgain(places, after: current) } catch {
            current.misfits.restore(places)
            throw ODataError.storage(error)
        }
    }

    private func publishAgain(_ places: Set<MisfitLog.Place>, after old: PublishedSchema) async throws -> Model {
        let preparation = FilePreparation(
            path: path, configuration: configuration, changeLog: changeLog, declared: declared)
        let new =
            configuration.isReadOnly
            ? try await pool.read { try preparation.published($0) } : try await write { try preparation.prepared($0) }
        let unchanged = places.filter { old.type(at: $0) == new.type(at: $0) }
        new.misfits.settle(unchanged, besides: old.misfits)
        publication.withLock { $0 = Publication(new) }
        for notice in new.notices where !old.notices.contains(notice) { configuration.onNotice?(notice) }
        return new.model
    }
}

extension PublishedSchema {
    fileprivate func type(at place: MisfitLog.Place) -> PrimitiveType? {
        tables[place.set]?.column(ofProperty: place.property)?.type
    }
}
