import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension QueryDownload {
    /// An expanded collection that was received with its own next link.
    private struct Rest {
        var id: Int64
        var parent: Int64
        var link: String
    }

    /// Reads the remaining pages of expanded collections into the same stages.
    mutating func readExpansions(of root: QueryNode) async throws -> Action {
        let unrolled = try bound.unrolled(model: offline.model)
        let place = BoundQuery(path: bound.path.resource, options: unrolled.options)
        for (child, query) in ExpansionQueries.all(of: root, place) {
            var last: Int64?
            while let rest = try await next(of: child.node) {
                try Task.checkCancellation()
                if rest.id != last { trail = NextLinkTrail() }
                last = rest.id
                machine.expansionLink = rest.link
                try follow(rest.link)
                try await read(rest, of: child, query)
            }
        }
        return machine.readExpansions()
    }

    private func next(of node: QueryNode) async throws -> Rest? {
        try await store.database.reading { db in
            try Row.fetchOne(db, sql: "SELECT * FROM \(quoted(node.more)) ORDER BY \"id\" LIMIT 1").map {
                Rest(id: $0["id"], parent: $0["parent"], link: $0["link"])
            }
        }
    }

    /// Writes one page and its next link in one transaction.
    private mutating func read(_ rest: Rest, of child: QueryNode.Child, _ query: BoundQuery) async throws {
        var request = ReadRequest(query, continuation: rest.link)
        request.maxPageSize = store.configuration.downloadPageSize
        request.onBytes = { [meter] in meter.received($0) }
        report(.waiting)
        guard case .entities(let reader) = try await patientResponse(to: request).body else {
            throw ODataError.noEntities
        }
        report(.reading)
        var read: [RowBlock] = []
        while let block = try await next(of: reader) { read.append(block) }
        let blocks = read
        try await transaction { [offline] machine, db in
            try StageWriter(
                root: child.node, shape: reader.shape, content: machine.content, offline: offline,
                below: .init(id: rest.parent, child: child), in: db
            ).stage(blocks)
            let next = blocks.last { $0.nextLink != nil }?.nextLink
            try db.execute(
                sql: next == nil
                    ? "DELETE FROM \(quoted(child.node.more)) WHERE \"id\" = ?1"
                    : "UPDATE \(quoted(child.node.more)) SET \"link\" = ?2 WHERE \"id\" = ?1",
                arguments: next.map { [rest.id, $0] } ?? [rest.id])
        }
    }
}

/// The queries for the related entities of one parent, for each node: the collections that a service may page.
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
