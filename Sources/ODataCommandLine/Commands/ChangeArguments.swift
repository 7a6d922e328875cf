import ArgumentParser
import HTTPTypes
import OData

/// The resource that a command changes at a service, and the condition.
struct ChangeArguments: ParsableArguments {
    @Argument(help: "The absolute URL.") var url: String

    @Option(
        help: """
            The ETag of the version to change, which 'odata get' shows as @odata.etag; the service refuses if there \
            is a newer one. * is any version.
            """)
    var ifMatch: String?

    @Flag(
        name: .shortAndLong,
        help: "Print requests and responses with their headers on standard error; secrets are hidden.")
    var verbose = false

    @OptionGroup var quiet: QuietOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    /// Sends the change, and prints the response.
    ///
    /// - Throws: ``Failure`` with the service's message, if the service rejects the change.
    func send(_ method: HTTPRequest.Method, _ content: ChangeBody?) async throws {
        let url = try AbsoluteURL(typed: url)
        var request = HTTPRequest(method: method, url: url)
        request.headerFields[.accept] = connection.gives(.accept) ? nil : "application/json;odata.metadata=minimal"
        request.headerFields[.ifMatch] = ifMatch
        request.headerFields[.contentType] = connection.gives(.contentType) ? nil : try content?.mediaType
        if method == .post { request.headerFields.setSlug(content?.file?.name) }
        let bar = ProgressBar()
        defer { bar.finish() }
        let body = try content?.content(followedBy: bar)
        let protection = CSRFProtection(serviceRoot: Self.folder(of: url))
        try await connection.withTransport(first: [protection], verbose ? [VerboseMiddleware()] : []) {
            [request] transport in
            let response = try await transport.send(request, body: body)
            bar.finish()
            try await print(response)
        }
    }

    private func print(_ response: TransportResponse) async throws {
        let (status, fields) = (response.head.status, response.head.headerFields)
        guard status.kind == .successful else {
            throw try await Failure.failedResponse(response, advice: Self.advice(forStatus: status.code))
        }
        let bytes = try await response.body.collect(upTo: 256 << 20)
        guard !Self.isPage(bytes, type: fields[.contentType]) else {
            throw Failure(
                "The service returned a page of HTML with \(status.code) \(status.reasonPhrase), as gateways "
                    + "and logins send it: whether "
                    + "the service has made the change is not known.",
                advice: "Read what is there with 'odata get' before you send it again.")
        }
        let place = (fields[.location] ?? fields[.oDataEntityID]).map { ": \($0)" } ?? ""
        Console.message("\(status.code) \(status.reasonPhrase)\(place.singleLine)")
        guard !bytes.isEmpty else { return }
        guard fields[.contentType]?.contains("json") != true else {
            // The line end that a service has sent is that of the output.
            return JSONOutput.print(bytes, endsLine: bytes.last != UInt8(ascii: "\n"))
        }
        Console.write(bytes: bytes)
        if bytes.last != UInt8(ascii: "\n") { Console.write("") }
    }

    /// Whether a response is a page of HTML, by its type or by its content.
    private static func isPage(_ bytes: [UInt8], type: String?) -> Bool {
        let name = type?.prefix { $0 != ";" }.lowercased() ?? ""
        if name.hasPrefix("text/html") || name.hasPrefix("application/xhtml") { return true }
        return HTMLPage.begins(bytes)
    }

    private static func advice(forStatus status: Int) -> String? {
        guard status == 412 || status == 428 else { return nil }
        return "Give --if-match with the @odata.etag that 'odata get' shows now, or '*' for any version."
    }

    /// `http://127.0.0.1:8080/` of `http://127.0.0.1:8080/Photos(9000)`: a token holds for all of a service.
    private static func folder(of url: AbsoluteURL) -> String {
        let text = url.description.prefix { $0 != "?" }
        return String(text[...(text.lastIndex(of: "/") ?? text.startIndex)])
    }
}

/// The body of a change: JSON, or a file.
struct ChangeBody: ParsableArguments {
    @Argument(help: "The body as JSON; - reads it from standard input.") var json: String?
    @Option(help: "A file that is the body instead; - is standard input.", completion: .file()) var file: InputFile?
    @Option(help: "The media type of --file; that of its ending without it.", transform: MediaTypeArgument.init(typed:))
    var type: MediaTypeArgument?

    func validate() throws {
        guard json == nil || file == nil else { throw ValidationError("Give JSON or --file, not both.") }
        guard type == nil || file != nil else { throw ValidationError("--type is that of --file.") }
    }

    /// Nil without a body.
    var mediaType: String? {
        get throws { try file.map { try $0.mediaType(type) } ?? (json == nil ? nil : "application/json") }
    }

    func content(followedBy bar: ProgressBar) throws -> ByteContent? {
        if let file { return try file.content(followedBy: bar) }
        return try json.map { ByteContent(Array(try InputFile.text($0).utf8)) }
    }
}
