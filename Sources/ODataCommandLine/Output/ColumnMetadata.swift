import HTTPTypes
import OData

/// The columns of a response without rows, as the metadata of its service declare them.
struct ColumnMetadata {
    let connection: ConnectionOptions
    let transport: any HTTPTransport

    /// How many folders of a URL without a context URL may be the root.
    private static let mostFolders = 4

    /// Nil where the metadata cannot be read, or do not say.
    ///
    /// - Parameter contextURL: As the response has it; its path up to `$metadata` is that of the service.
    func columns(of request: HTTPRequest, contextURL: String?) async -> [String]? {
        guard let url = request.absoluteURL else { return nil }
        for root in Self.roots(of: url, contextURL: contextURL) {
            guard let model = await model(at: url.with(target: root + "$metadata")) else { continue }
            let relative = String(url.target.dropFirst(root.count))
            let query =
                (try? QueryParser(model: model).query(relative))
                ?? (try? QueryParser(model: model, conventions: .legacy).query(relative))
            if let query { return ResultTable.columns(of: query, in: model) }
        }
        return nil
    }

    /// Paths that the service may have, the likeliest first.
    private static func roots(of url: AbsoluteURL, contextURL: String?) -> [String] {
        var roots: [String] = []
        if let path = contextURL.flatMap({ url.resolving($0) })?.path, let end = path.range(of: "$metadata") {
            let root = String(path[..<end.lowerBound])
            if url.path.hasPrefix(root) { roots.append(root) }
        }
        var path = url.path[...]
        while let slash = path.lastIndex(of: "/"), roots.count < mostFolders {
            if !roots.contains(String(path[...slash])) { roots.append(String(path[...slash])) }
            path = path[..<slash]
        }
        return roots
    }

    private func model(at url: AbsoluteURL) async -> EdmModel? {
        var request = HTTPRequest(method: .get, url: url)
        if !connection.gives(.accept) { request.headerFields[.accept] = "application/xml, application/json;q=0.5" }
        guard let response = try? await transport.send(request, body: nil),
            response.head.status.kind == .successful, let bytes = try? await response.body.collect(upTo: 256 << 20)
        else { return nil }
        var limits = PayloadLimits.default
        limits.metadataElements = connection.maxMetadataElements ?? limits.metadataElements
        return try? CSDL.document(bytes, limits: limits).model
    }
}

extension ResultTable {
    /// The columns of what a query gives; nil if it is nothing that has columns.
    static func columns(of query: BoundQuery, in model: EdmModel) -> [String]? {
        switch query.path.resource.target {
        case .collection, .entity:
            guard let shape = try? RowShape.shape(of: query, model: model) else { return nil }
            return ResultTable([], shape: shape, model: model, nested: .json).columns
        case .property(let property): return columns(of: property.type, in: model)
        case .value(let type): return columns(of: type, in: model)
        case .stream, .nothing: return nil
        }
    }

    /// The properties of complex values, `value` of others.
    static func columns(of type: EdmTypeReference, in model: EdmModel) -> [String] {
        switch type {
        case .collection(let element): columns(of: element, in: model)
        case .complex(let name): model.structuredType(named: name)?.properties.map(\.name) ?? []
        default: ["value"]
        }
    }
}
