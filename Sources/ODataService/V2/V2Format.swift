import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataTransport

extension LegacyFormat {
    /// The format of the response to a V2 client: `$format` takes precedence over `Accept`; Atom without either.
    ///
    /// - Throws: 406 for what is neither Atom (XML) nor JSON.
    init(negotiatedFrom request: ServiceRequest) throws {
        if let option = request.parts["$format"] {
            guard let format = LegacyFormat(contentType: ResponseFormat.mediaType(option)) else {
                throw ServiceFailure(.notAcceptable, "$format=\(option) is not supported; json and atom are.")
            }
            self = format
            return
        }
        guard let accept = request.headers[.accept], !accept.isEmpty else {
            self = .atom
            return
        }
        let ranges = HeaderElement.list(accept).map(AcceptRange.init).filter { $0.weight > 0 }
        let ordered = ranges.enumerated().sorted { left, right in
            left.element.weight == right.element.weight
                ? left.offset < right.offset : left.element.weight > right.element.weight
        }
        let formats = ordered.lazy.compactMap { range -> LegacyFormat? in
            let name = range.element.element.value.lowercased()
            if ["*/*", "application/*", "text/*", "multipart/mixed"].contains(name) { return .atom }
            return LegacyFormat(contentType: name)
        }
        guard let format = formats.first else {
            throw ServiceFailure(.notAcceptable, "The response can be Atom or JSON; the client accepts \(accept).")
        }
        self = format
    }

    /// Of entries, feeds and the like.
    func contentType(_ kind: V2Content) -> String {
        switch (self, kind) {
        case (.verboseJSON, _): "application/json;charset=utf-8"
        case (.atom, .feed): "application/atom+xml;type=feed;charset=utf-8"
        case (.atom, .entry): "application/atom+xml;type=entry;charset=utf-8"
        case (.atom, .serviceDocument): "application/atomsvc+xml;charset=utf-8"
        case (.atom, .value): "application/xml;charset=utf-8"
        }
    }
}

/// What a V2 message holds.
enum V2Content {
    case feed, entry, serviceDocument, value
}

extension ServiceFailure {
    /// The error in the format of a V2 client.
    func v2Response(_ request: ServiceRequest) -> ServiceResponse {
        let format = (try? LegacyFormat(negotiatedFrom: request)) ?? .atom
        return ServiceResponse(
            status, headers: languageHeaders, contentType: format.contentType(.value),
            body: ByteContent(format.bytes(error: error)))
    }
}

extension ServiceCall {
    /// The format that the client of V2 requests.
    func v2Format() throws -> LegacyFormat { try LegacyFormat(negotiatedFrom: request) }

    func v2Options(_ path: String? = nil) -> LegacyWriterOptions {
        var options = LegacyWriterOptions(serviceRoot: root.url)
        options.path = path
        return options
    }

    /// A link of the store, which is V4, as a V2 client can use it.
    func v2Link(_ link: String) -> String {
        guard let query = try? metadata.parser.link(link), let url = try? query.legacyURL() else {
            return root.absolute(link)
        }
        return root.absolute(PageSizeOption.carried(by: url, pageSize))
    }
}
