import OData

/// Prints the whole result of a query in the format asked for.
struct ResultPrinter {
    let store: any ODataStore
    let format: OutputFormat
    /// Whether a count is a JSON object where the format is JSON.
    var wrapsCounts = true

    func print(_ query: BoundQuery) async throws {
        guard !RawPrinter.isMeant(by: query.path) else { return try await RawPrinter(store: store).print(query.path) }
        let result = try await store.read(ReadRequest(query))
        switch result.body {
        case .entities(let reader):
            try await print(reader, of: query)
        case .value(let value, let type):
            try await print(value, of: type)
        case .count(let count):
            guard wrapsCounts, format == .json else { return Console.write("\(count)") }
            JSONOutput.print(Array("{\"value\":\(count)}".utf8))
        case .nothing, .notModified: printNull()
        }
    }

    private func printNull() {
        guard format == .json else { return Console.write("null") }
        JSONOutput.print(Array("{\"value\":null}".utf8))
    }

    private func print(_ reader: any EntityReader, of query: BoundQuery) async throws {
        let isCollection = query.path.resource.target == .collection
        if format == .json {
            try await printJSON(reader, of: query, kind: isCollection ? .collection : .entity)
        } else {
            try await printRows(reader, of: query)
        }
    }

    private func printRows(_ reader: any EntityReader, of query: BoundQuery) async throws {
        let (model, shape, nested) = (try await store.model(), reader.shape, format.nested)
        var printer = RowPrinter(format: format)
        printer.isEntity = query.path.resource.target != .collection
        printer.add(ResultTable([], shape: shape, model: model, nested: nested))
        do {
            try await forEachBlock(of: reader, query: query) { block in
                let entities = EntityAssembler(shape: shape).entities(in: block)
                printer.add(ResultTable(entities, shape: shape, model: model, nested: nested))
            }
        } catch {
            printer.flush()
            throw error
        }
        printer.finish()
    }

    private func printJSON(_ reader: any EntityReader, of query: BoundQuery, kind: PayloadKind) async throws {
        var writer = JSONEntityWriter(shape: reader.shape, kind: kind, options: JSONWriterOptions())
        var (output, hasBegun) = (JSONOutput(), false)
        try await forEachBlock(of: reader, query: query) { block in
            if !hasBegun { writer.begin(count: block.count) }
            hasBegun = true
            writer.write(block)
            output.write(writer.takeBytes())
        }
        if !hasBegun { writer.begin(count: nil) }
        writer.end(nextLink: nil, deltaLink: nil)
        output.write(writer.takeBytes())
        output.finish()
    }

    /// All blocks of all pages.
    private func forEachBlock(
        of reader: any EntityReader, query: BoundQuery, _ body: (RowBlock) throws -> Void
    ) async throws {
        var reader = reader
        var trail = NextLinkTrail()
        while true {
            var nextLink: String?
            while let block = try await reader.next() {
                try body(block)
                trail.note(block, reader.shape)
                try Console.checkOutput()
                nextLink = block.nextLink ?? nextLink
            }
            guard let link = nextLink else { return }
            try trail.follow(link)
            guard case .entities(let next) = try await store.read(ReadRequest(query, continuation: link)).body
            else { return }
            reader = next
        }
    }

    /// Tables and CSV have the same rows as of the response of a service.
    private func print(_ value: EdmValue, of type: EdmTypeReference) async throws {
        let json = JSONPayload.bytes(value: value, type: type, contextURL: nil)
        guard format == .json else {
            guard !value.isNull else { return Console.write("null") }
            let page = try ResponsePage(json, isVersion4: true, nested: format.nested)
            var table = page.table
            if table.columns.isEmpty { table.columns = ResultTable.columns(of: type, in: try await store.model()) }
            return table.print(as: format, isEntity: !page.isCollection)
        }
        JSONOutput.print(json)
    }
}
