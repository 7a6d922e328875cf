import ODataModel
import ODataQuery
import ODataStores

/// A store under check, with its model.
struct ConformanceSession: Sendable {
    let store: any ODataStore
    let model: EdmModel
    let parser: QueryParser

    init(store: any ODataStore) async throws {
        self.store = store
        model = try await store.model()
        parser = QueryParser(model: model)
    }

    /// The response of the store to `url`.
    func response(to url: String) async throws -> ConformanceResponse {
        let query = try parser.query(url)
        let result = try await store.read(ReadRequest(query))
        switch result.body {
        case .count(let count): return .count(count)
        case .value(let value, _): return .value(value)
        case .nothing: return .nothing
        case .notModified: return .notModified
        case .entities(let reader):
            let assembler = EntityAssembler(shape: reader.shape)
            var entities: [EdmEntity] = []
            var count: Int64?
            var next: String?
            while let block = try await reader.next() {
                entities += assembler.entities(in: block)
                count = block.count ?? count
                next = block.nextLink ?? next
            }
            if let next { entities += try await rest(of: query, from: next) }
            return .entities(entities, count: count, areReferences: query.path.suffix == .ref)
        }
    }

    private func rest(of query: BoundQuery, from link: String) async throws -> [EdmEntity] {
        var entities: [EdmEntity] = []
        var link: String? = link
        while let continuation = link {
            let page = try await page(ReadRequest(query, continuation: continuation))
            entities += page.entities
            link = page.nextLink
        }
        return entities
    }

    /// One page of entities.
    func page(_ request: ReadRequest) async throws -> (entities: [EdmEntity], nextLink: String?, deltaLink: String?) {
        guard case .entities(let reader) = try await store.read(request).body else {
            throw ConformanceFailure(expected: "entities", found: "another kind of response")
        }
        let assembler = EntityAssembler(shape: reader.shape)
        var page: (entities: [EdmEntity], nextLink: String?, deltaLink: String?) = ([], nil, nil)
        while let block = try await reader.next() {
            page.entities += assembler.entities(in: block)
            page.nextLink = block.nextLink ?? page.nextLink
            page.deltaLink = block.deltaLink ?? page.deltaLink
        }
        return page
    }

    /// The one entity at `url`.
    func entity(_ url: String) async throws -> EdmEntity {
        guard case .entities(let entities, _, _) = try await response(to: url), entities.count == 1,
            let entity = entities.first
        else { throw ConformanceFailure(expected: "one entity at \(url)", found: "none, or several") }
        return entity
    }

    /// The ETag of the entity at `url`.
    func etag(_ url: String) async throws -> String {
        guard let etag = try await entity(url).etag else {
            throw ConformanceFailure(expected: "an ETag of \(url)", found: "none")
        }
        return etag
    }

    func expect(_ url: String, _ expectation: Expectation) async throws {
        try await expectation.check("response to \(url)") { try await response(to: url) }
    }

    func expect(_ condition: Bool, _ expected: String, found: @autoclosure () -> String = "the contrary") throws {
        guard !condition else { return }
        throw ConformanceFailure(expected: expected, found: found())
    }

    /// Expects one of `codes`.
    @discardableResult
    func expectError(
        _ codes: ODataError.Code..., from action: () async throws -> Void
    ) async throws -> ODataError {
        do {
            try await action()
        } catch let error as ODataError where codes.contains(error.code) {
            return error
        } catch let error as ODataError {
            let names = codes.map(\.name).joined(separator: " or ")
            throw ConformanceFailure(expected: "the error \(names)", found: "\(error)")
        }
        throw ConformanceFailure(
            expected: "the error \(codes.map(\.name).joined(separator: " or "))", found: "no error")
    }
}
