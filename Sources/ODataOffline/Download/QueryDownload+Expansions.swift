import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension QueryDownload {
    /// A page of an expanded collection that came with a next link of its own.
    private struct Rest {
        var id: Int64
        var parent: Int64
        var link: String
    }

    /// Reads what expanded collections have more than came with their entities, into the same stages.
    ///
    /// - Returns: Why what came cannot be taken: all must be read again then. Nil if it is in the stages.
    mutating func readExpansions(of root: QueryNode) async throws -> String? {
        let unrolled = try bound.unrolled(model: offline.model)
        let place = BoundQuery(path: bound.path.resource, options: unrolled.options)
        for (child, query) in ExpansionQueries.all(of: root, place) {
            var last: Int64?
            while let rest = try await next(of: child.node) {
                try Task.checkCancellation()
                if rest.id != last { trail = NextLinkTrail() }
                last = rest.id
                expansionLink = rest.link
                try await follow(rest.link)
                if let obstacle = try await read(rest, of: child, query) { return obstacle }
            }
        }
        expansionLink = nil
        return nil
    }

    private func next(of node: QueryNode) async throws -> Rest? {
        try await store.database.reading { db in
            try Row.fetchOne(db, sql: "SELECT * FROM \(quoted(node.more)) ORDER BY \"id\" LIMIT 1").map {
                Rest(id: $0["id"], parent: $0["parent"], link: $0["link"])
            }
        }
    }

    /// One page and where it goes on: one transaction.
    private mutating func read(
        _ rest: Rest, of child: QueryNode.Child, _ query: BoundQuery
    ) async throws -> String? {
        var request = ReadRequest(query, continuation: rest.link)
        request.maxPageSize = store.configuration.downloadPageSize
        report(.waiting)
        guard case .entities(let reader) = try await patientAnswer(to: request).body else {
            throw ODataError(.invalidResponse, "The service did not answer with entities.")
        }
        report(.reading)
        var blocks: [RowBlock] = []
        while let block = try await next(of: reader) {
            bytes += Int64(block.buffer.count)
            trail.note(block, reader.shape)
            note(block.diagnostics)
            blocks.append(block)
        }
        let next = blocks.last { $0.nextLink != nil }?.nextLink
        let page = blocks
        return try await write { [record, offline] db in
            let content: PageContent =
                record.phase == .deltaRead ? .changes : .result(isKnown: record.mode == .comparison)
            let writer = try StageWriter(
                root: child.node, shape: reader.shape, content: content, offline: offline,
                below: .init(id: rest.parent, child: child), in: db)
            for block in page { try writer.write(block) }
            try writer.finish()
            if let obstacle = writer.obstacle { return obstacle }
            try db.execute(
                sql: next == nil
                    ? "DELETE FROM \(quoted(child.node.more)) WHERE \"id\" = ?1"
                    : "UPDATE \(quoted(child.node.more)) SET \"link\" = ?2 WHERE \"id\" = ?1",
                arguments: next.map { [rest.id, $0] } ?? [rest.id])
            return nil
        }
    }
}

/// The queries whose results are what the nodes of a tree hold of one entity above: the collections that a service
/// may page.
private struct ExpansionQueries {
    /// Outermost first.
    static func all(of node: QueryNode, _ query: BoundQuery) -> [(QueryNode.Child, BoundQuery)] {
        node.children.flatMap { child -> [(QueryNode.Child, BoundQuery)] in
            let item = query.options.expand.first {
                $0.navigation.name == child.name && $0.castType?.name == child.cast
            }
            guard let item else { return [] }
            var path = query.path
            for case .cast(let type) in item.prefix { path = path.appending(.cast(type)) }
            path = path.appending(.navigation(item.navigation, item.targetSet))
            let below = BoundQuery(path: path, options: item.options)
            return [(child, below)] + all(of: child.node, below)
        }
    }
}
