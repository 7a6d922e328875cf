import ODataModel

/// Reads OData URLs and expressions and checks them against a model.
///
/// ```swift
/// let parser = QueryParser(model: model)
/// let query = try parser.query("Products?$filter=Price gt 20&$expand=Category($select=Name)")
/// ```
///
/// URLs may be percent-encoded or typed raw, with spaces, quotes and letters of any script in them; a `/` at the
/// start is optional. A query in which `+` is where the grammar needs white space is form-encoded: each `+` of it is a
/// blank, in strings too; in other queries a `+` is a plus sign, as `%2B` always is. All errors are ``QueryError``: with the position, what was found there, and what could have
/// was there. Custom query options are ignored; what the standard has and this parser has not is
/// ``QueryError/Code/notImplemented``.
///
/// [OData-URL, sections 2, 4 and 5]
public struct QueryParser: Sendable {
    let model: EdmModel
    let limits: QueryLimits
    private let serviceRoot: String?
    private var dialect: QueryDialect

    /// Which version's URLs are read.
    public enum Conventions: Sendable {
        /// URLs of 4.0 and 4.01. [OData-URL]
        case version4
        /// `substringof('a',Name)`, `datetime'2024-01-02T00:00:00'`, `$inlinecount=allpages`, `$links`
        case legacy
    }

    /// - Parameters:
    ///   - model: Has the names and types.
    ///   - limits: Of what is read: a URL that exceeds them is refused.
    ///   - serviceRoot: `http://host/service/`, for ids in `$entity?$id=…` that start with it.
    ///   - conventions: Those of the version that the URLs are of.
    public init(
        model: EdmModel, limits: QueryLimits = .default, serviceRoot: String? = nil,
        conventions: Conventions = .version4
    ) {
        self.model = model
        self.limits = limits
        self.serviceRoot = serviceRoot
        dialect = conventions == .legacy ? .legacy : .lenient
    }

    /// What `url`, relative to the service root, stands for.
    public func resource(_ url: String) throws(QueryError) -> BoundResource {
        try resource(url, contentIDs: [:])
    }

    /// What `url` stands for inside a batch: `$1/Items`, where earlier requests of the batch gave ids to entities
    /// of the given sets.
    public func resource(
        _ url: String, contentIDs: [String: EdmEntitySet]
    ) throws(QueryError) -> BoundResource {
        let source = try QuerySource(url: url, limits: limits, dialect: dialect)
        if let system = try systemResource(source, contentIDs: contentIDs) { return system }
        let (options, understood) = try SyntaxParser.queryOptions(of: source, limits: limits)
        let binder = Binder(
            model: model, source: understood, aliases: options.aliases, custom: options.custom, contentIDs: contentIDs,
            limits: limits)
        let segments = try SyntaxParser.resourcePath(source, limits: limits)
        if let entity = try entity(segments, options, binder: binder) { return .query(entity) }
        let path = try binder.resourcePath(segments[...])
        return .query(BoundQuery(path: path, options: try binder.options(options, of: path)))
    }

    /// The query that `url` stands for; an error if it is the service document, the metadata or a batch.
    public func query(_ url: String) throws(QueryError) -> BoundQuery {
        guard case .query(let query) = try resource(url) else {
            throw QueryError(.syntax, "The URL does not name data.", position: 0, expected: "an entity set")
        }
        return query
    }

    /// The query that ``BoundQuery/url`` was written of: a link of a store. `replace` of V2 may be in it.
    package func link(_ url: String) throws(QueryError) -> BoundQuery {
        var parser = self
        parser.dialect = .link
        return try parser.query(url)
    }

    /// Whether the query options of `url` are form-encoded: each `+` in them is a blank. Those of V2 are not asked about:
    /// there a `+` is a blank wherever the grammar may have one.
    package func isFormEncoded(_ url: String) -> Bool {
        guard !dialect.isLegacy, url.utf8.contains(UInt8(ascii: "+")), url.utf8.contains(UInt8(ascii: "?")),
            let source = try? QuerySource(url: url, limits: limits, dialect: dialect), !source.options.isEmpty
        else { return false }
        guard let understood = try? SyntaxParser.queryOptions(of: source, limits: limits).source else { return false }
        return understood !== source
    }

    /// A resource path without query options.
    public func path(_ path: String) throws(QueryError) -> ResourcePath {
        let source = try QuerySource(url: path, limits: limits, dialect: dialect)
        guard source.options.isEmpty else {
            throw source.error(.syntax, "A path has no query options.", at: source.options[0].name.lowerBound)
        }
        let segments = try SyntaxParser.resourcePath(source, limits: limits)
        return try Binder(model: model, source: source, limits: limits).resourcePath(segments[...])
    }

    /// The path of the entity with the given id, which may be relative to the service root or absolute.
    ///
    /// - Parameters:
    ///   - id: As a payload or a header has it.
    ///   - serviceRoot: `http://host/service/`; taken off where `id` starts with it or with its path.
    public func entityPath(id: String, serviceRoot: String?) throws(QueryError) -> ResourcePath {
        let relative = relativeID(id, serviceRoot: serviceRoot)
        guard !isAbsolute(relative) else {
            throw QueryError(
                .unknownName, "The id \(id) is not of this service.", position: 0,
                expected: serviceRoot.map { "an id that starts with \($0)" })
        }
        return try path(relative)
    }

    /// As ``entityPath(id:serviceRoot:)``, of an id that may have the spelling of V2: `Orders(1L)`, `Orders(guid'…')`. What
    /// it has of options, as where each URL of a service has `sap-client=100`, says nothing about the entity.
    ///
    /// - Returns: Nil if it is not an id of this service.
    package func entityPath(ofAnyVersion id: String, serviceRoot: String?) -> ResourcePath? {
        let id = id.firstIndex(of: "?").map { String(id[..<$0]) } ?? id
        if let path = try? entityPath(id: id, serviceRoot: serviceRoot) { return path }
        var parser = self
        parser.dialect = .legacy
        // What V2 reads as a space is a plus sign in the path of any URL.
        let relative = relativeID(id, serviceRoot: serviceRoot).replacing("+", with: "%2B")
        return try? parser.entityPath(id: relative, serviceRoot: nil)
    }

    /// An expression over the properties of `type`, as in `$filter`; not percent-encoded.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - type: That of the instances.
    ///   - set: The entity set that the instances are of, from which navigation finds its targets.
    public func expression(
        _ text: String, type: EdmStructuredType, set: EdmEntitySet?
    ) throws(QueryError) -> QueryExpression {
        let source = try QuerySource(text: text, limits: limits, dialect: dialect)
        var parser = SyntaxParser(source, limits: limits)
        let syntax = try parser.wholeExpression()
        let binder = Binder(model: model, source: source, limits: limits)
        return try binder.expression(syntax, in: BindingScope(type: type, set: set)).expression
    }
}

extension QueryParser {
    private static let systemResources: [String: BoundResource] = ["$metadata": .metadata, "$batch": .batch]

    private func systemResource(
        _ source: QuerySource, contentIDs: [String: EdmEntitySet]
    ) throws(QueryError) -> BoundResource? {
        guard let first = source.segments.first else { return nil }
        if first.isEmpty, source.segments.count == 1 { return .serviceDocument }
        guard !first.isEmpty, source.text[first.lowerBound] == UInt8(ascii: "$") else { return nil }
        let name = source.string(first)
        guard contentIDs[String(name.dropFirst())] == nil else { return nil }
        guard let resource = Self.systemResources[name] else { return nil }
        guard source.segments.count == 1 else {
            throw source.error(
                .unknownName, "There is no resource below \(name).", at: source.segments[1].lowerBound,
                expected: "the end of the path")
        }
        return resource
    }

    /// `$entity?$id=Products(1)`, `$entity/Model.Special?$id=…`: the entity itself.
    private func entity(
        _ segments: [SegmentSyntax], _ options: OptionsSyntax, binder: Binder
    ) throws(QueryError) -> BoundQuery? {
        guard let first = segments.first, first.kind == .reference, first.name.text == "$entity" else { return nil }
        guard let id = options.id else {
            throw binder.error(
                .syntax, "$entity needs the id of the entity.", at: first.name.offset, expected: "$id=…")
        }
        var path = try entityPath(id: id, serviceRoot: serviceRoot)
        for segment in segments.dropFirst() {
            guard let cast = binder.structuredType(named: segment.name), let type = path.entitySet?.type else {
                throw binder.error(
                    .syntax, "Only a type can follow $entity.", at: segment.name.offset, expected: "the end of the path"
                )
            }
            path.segments.append(.cast(try binder.checkedCast(cast, of: type, at: segment.name.offset)))
        }
        var rest = options
        rest.id = nil
        rest.given.removeAll { $0.option == .id }
        return BoundQuery(path: path, options: try binder.options(rest, of: path))
    }

    private func relativeID(_ id: String, serviceRoot: String?) -> String {
        guard let serviceRoot, !serviceRoot.isEmpty else { return id }
        let root = serviceRoot.hasSuffix("/") ? serviceRoot : serviceRoot + "/"
        if id.hasPrefix(root) { return String(id.dropFirst(root.count)) }
        guard id.hasPrefix("/"), let authority = root.firstRange(of: "://"),
            let slash = root[authority.upperBound...].firstIndex(of: "/")
        else { return id }
        let rootPath = root[slash...]
        return id.hasPrefix(rootPath) ? String(id.dropFirst(rootPath.count)) : id
    }

    /// Whether `id` starts with a scheme and an authority.
    private func isAbsolute(_ id: String) -> Bool {
        guard let colon = id.firstRange(of: "://") else { return false }
        return id[..<colon.lowerBound].utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }
}
