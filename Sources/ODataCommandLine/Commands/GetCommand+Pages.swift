import HTTPTypes
import OData

extension GetCommand {
    /// Prints the rows of the first page and of the pages behind its next links as they arrive.
    func printPages(
        from response: TransportResponse, to request: HTTPRequest, over transport: any HTTPTransport
    ) async throws {
        var printer = RowPrinter(format: format.resolved)
        var contextURL: String?
        do {
            try await forEachPage(from: response, to: request, over: transport) { page in
                printer.isEntity = !page.isCollection
                contextURL = contextURL ?? page.contextURL
                printer.add(page.table)
            }
        } catch {
            printer.flush()
            throw error
        }
        if format.resolved.isCSV, printer.columns.isEmpty {
            let metadata = ColumnMetadata(connection: connection, transport: transport)
            if let names = await metadata.columns(of: request, contextURL: contextURL) {
                printer.add(ResultTable(columns: names))
            } else {
                Console.notice(
                    "The response has no rows, and the service's metadata do not name the columns: the header is left "
                        + "out.")
            }
        }
        printer.finish()
    }

    /// Prints the values of all pages as one JSON document; a response that is not a collection is printed unchanged.
    func printAll(
        from response: TransportResponse, to request: HTTPRequest, over transport: any HTTPTransport
    ) async throws {
        var (printer, isCollection) = (PagePrinter(), true)
        try await forEachPage(from: response, to: request, over: transport) { page in
            if let envelope = page.envelope { return printer.add(envelope) }
            isCollection = false
            JSONOutput.print(page.json)
        }
        if isCollection { printer.finish() }
    }

    private func forEachPage(
        from response: TransportResponse, to request: HTTPRequest, over transport: any HTTPTransport,
        _ body: (ResponsePage) -> Void
    ) async throws {
        var (response, request, trail) = (response, request, NextLinkTrail())
        while true {
            let page = try await page(response)
            body(page)
            try Console.checkOutput()
            guard let link = page.nextLink else { return }
            let next = try Self.next(link, contextURL: page.contextURL, of: request)
            trail.note(rows: page.rows)
            try trail.follow(next.description)
            request.absoluteURL = next
            response = try await successfulResponse(to: request, over: transport)
        }
    }

    private func page(_ response: TransportResponse) async throws -> ResponsePage {
        let version = response.head.headerFields[.oDataVersion] ?? ""
        return try ResponsePage(
            try await response.body.collect(upTo: 256 << 20), isVersion4: version.hasPrefix("4"),
            nested: format.resolved.nested)
    }

    /// Relative links are meant relative to the context URL by some services and to the request's URL by others: the one
    /// with the path of this page is meant. A link with that path to another host comes from a service behind a proxy,
    /// which does not know its own name. [OData-JSON, section 4.5.1]
    private static func next(
        _ link: String, contextURL: String?, of request: HTTPRequest
    ) throws -> AbsoluteURL {
        let page = request.absoluteURL
        let candidates = [contextURL.flatMap { page?.resolving($0) }, page].compactMap { $0?.resolving(link) }
        guard let page, let first = candidates.first else {
            throw Failure("The link to the next page is not a valid HTTP URL: \(link.brief)")
        }
        if let same = candidates.first(where: { $0.path == page.path }) { return page.with(target: same.target) }
        guard first.origin == page.origin else {
            throw Failure("The next page is at another host, which is not requested: \(first.description.brief)")
        }
        return first
    }
}
