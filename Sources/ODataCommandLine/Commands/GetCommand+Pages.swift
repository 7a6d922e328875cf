import HTTPTypes
import OData

extension GetCommand {
    /// Prints the rows of the first page, and of those that next links lead to, as they come.
    func printPages(
        from reply: HTTPReply, to request: HTTPRequest, over transport: any HTTPTransport
    ) async throws {
        var printer = RowPrinter(format: format.resolved)
        var (reply, request, trail) = (reply, request, NextLinkTrail())
        do {
            while let link = try await addPage(reply, of: request, to: &printer) {
                try trail.follow(link.description)
                request.absoluteURL = link
                reply = try await answer(to: request, over: transport)
            }
        } catch {
            printer.flush()
            throw error
        }
        printer.finish()
    }

    /// - Returns: Where the next page is; nil if this was the last.
    private func addPage(
        _ reply: HTTPReply, of request: HTTPRequest, to printer: inout RowPrinter
    ) async throws -> AbsoluteURL? {
        let version = reply.response.headerFields[.oDataVersion] ?? ""
        let page = try AnswerPage(
            try await reply.body.collect(upTo: 256 << 20), isVersion4: version.hasPrefix("4"),
            nested: format.resolved.nested)
        printer.add(page.table)
        try Console.checkOutput()
        guard let link = page.nextLink else { return nil }
        return try Self.next(link, contextURL: page.contextURL, of: request)
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
            throw Failure("The link to the next page is no URL that can be asked: \(link.brief)")
        }
        if let same = candidates.first(where: { $0.path == page.path }) { return page.with(target: same.target) }
        guard first.origin == page.origin else {
            throw Failure("The next page is at another host, which is not asked: \(first.description.brief)")
        }
        return first
    }
}
