import ODataModel
import ODataQuery

extension EntityCollection {
    /// All entities, over all pages, in memory.
    public func findAll() async throws -> [Element] {
        var elements: [Element] = []
        for try await page in pages() {
            if elements.isEmpty { elements = page } else { elements += page }
        }
        return elements
    }

    /// The entity with this key; nil where there is none, and where `where`, `search` or `$apply` leave it out. `top` and
    /// `skip` do not count.
    public func find(_ key: Element.Key) async throws -> Element? { try await find(Element.entityKey(key)) }

    /// The same entity as it is now, whatever `where` and the like say; nil where it is gone.
    public func find(_ element: Element) async throws -> Element? {
        try await read(try await target(of: element).url)
    }

    /// The entities for which the condition holds.
    public func find(where condition: (Element.Fields) -> QueryCondition) async throws -> [Element] {
        try await self.where(condition).findAll()
    }

    /// The entities with this value: `find(by: \.name, "Chai")`.
    public func find<Wrapped>(
        by field: KeyPath<Element.Fields, QueryOperand<Wrapped>>, _ value: Wrapped?
    ) async throws -> [Element] {
        try await self.where(field, equals: value).findAll()
    }

    /// The first entity; nil where there is none.
    public func first() async throws -> Element? { try await top(1).findAll().first }

    /// The first entity for which the condition holds; nil where there is none.
    public func first(where condition: (Element.Fields) -> QueryCondition) async throws -> Element? {
        try await self.where(condition).first()
    }

    /// How many there are, whatever `top` and `skip` say: `Products/$count`.
    public func count() async throws -> Int {
        guard query.apply == nil else {
            var all = self
            (all.query.top, all.query.skip) = (nil, nil)
            let rows = try await all.applied("aggregate($count as \(Self.resultName))")
            return rows.first?[Self.resultName].flatMap(Self.number).map(Int.init) ?? 0
        }
        var counted = BuiltQuery(path: query.path + "/$count")
        (counted.compute, counted.filter, counted.search) = (query.compute, query.filter, query.search)
        counted.others = query.context
        guard case .count(let count) = try await store.read(ReadRequest(try await bound(counted.url))).body else {
            throw ODataError(.invalidResponse, "\(counted.url) gave no number.")
        }
        return Int(count)
    }

    /// Whether there is none.
    public func isEmpty() async throws -> Bool { try await first() == nil }

    /// The entities page by page, as the store gives them.
    ///
    /// - Parameter size: The most entities of a page: a wish, which services need not follow; nil leaves it to them.
    public func pages(size: Int? = nil) -> CollectionPages<Element> {
        CollectionPages(collection: self, size: size)
    }

    func find(_ key: EntityKey) async throws -> Element? {
        guard query.filter != nil || query.search != nil || query.apply != nil else {
            return try await read(query.path + key.urlText)
        }
        var one = self
        (one.query.top, one.query.skip, one.query.orderBy) = (nil, nil, [])
        one.query.restrict(Self.condition([key]).condition)
        return try await one.findAll().first
    }

    /// The entity at a path, with what the collection expands; nil where there is none.
    ///
    /// - Parameter paths: The navigation properties to expand.
    func read(_ path: String, with paths: [[String]] = []) async throws -> Element? {
        do {
            var query = query.single(at: path)
            for path in paths { query.expand(path) { _ in } }
            var request = ReadRequest(try await bound(query))
            request.annotations = annotations
            let result = try await store.read(request)
            guard case .entities(let base) = result.body else { return nil }
            let reader = CompletedReader(base, of: request, from: store)
            var found: Element?
            while var block = try await reader.next() {
                if let etag = result.etag { block.setETag(etag) }
                found = try found ?? Element.elements(in: block, shape: reader.shape).first
            }
            return found
        } catch let error as ODataError where error.code == .notFound {
            return nil
        }
    }
}

/// Pages of a collection: next links are followed.
///
/// [OData-Protocol, section 11.2.6.7: Server-Driven Paging]
public struct CollectionPages<Member: CollectionElement>: AsyncSequence, Sendable {
    let collection: EntityCollection<Member>
    let size: Int?

    public func makeAsyncIterator() -> Iterator { Iterator(collection: collection, size: size) }

    /// Reads a page with each call.
    public struct Iterator: AsyncIteratorProtocol {
        let collection: EntityCollection<Member>
        let size: Int?
        private var request: ReadRequest?
        private var trail = NextLinkTrail()
        private var isAtEnd = false

        init(collection: EntityCollection<Member>, size: Int?) {
            (self.collection, self.size) = (collection, size)
        }

        /// - Throws: ``ODataError``; `invalidResponse` if the next links go round in a cycle, or on without end.
        public mutating func next() async throws -> [Member]? {
            guard !isAtEnd else { return nil }
            // After an error there are no more pages.
            isAtEnd = true
            var request = try await following()
            var page: [Member] = []
            guard case .entities(let base) = try await collection.store.read(request).body else { return nil }
            let reader = CompletedReader(base, of: request, from: collection.store)
            request.continuation = nil
            var current = try await reader.next()
            while let block = current {
                // The store reads on while entities are made of what it has read.
                async let following = reader.next()
                trail.note(block, reader.shape)
                try Member.append(block, shape: reader.shape, to: &page)
                request.continuation = block.nextLink ?? request.continuation
                current = try await following
            }
            if let link = request.continuation {
                try trail.follow(link)
                isAtEnd = false
            }
            self.request = request
            return page.isEmpty && isAtEnd ? nil : page
        }

        private func following() async throws -> ReadRequest {
            if let request { return request }
            var request = ReadRequest(try await collection.bound())
            request.maxPageSize = size
            request.annotations = collection.annotations
            return request
        }
    }
}
