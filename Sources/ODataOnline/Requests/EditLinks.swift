import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport
import Synchronization

/// Where entities are changed and their navigation properties are found, as far as that is elsewhere than their keys
/// report.
///
/// [OData-Protocol, section 4.2; OData-JSON, section 4.5.8]
final class EditLinks: Sendable {
    /// Beyond, what is known is dropped: an offline store reports it again, and so does each read.
    static let most = 10_000

    /// By the canonical path of the entity: `Products(1)`.
    private let links = Mutex<[String: String]>([:])

    func note(_ link: String?, of entity: String) {
        links.withLock { links in
            guard link != nil || !links.isEmpty else { return }
            if link != nil, links.count >= Self.most, links[entity] == nil { links.removeAll() }
            links[entity] = link
        }
    }

    func link(of entity: String) -> String? { links.withLock { $0.isEmpty ? nil : $0[entity] } }

    /// The entity that a path begins with.
    static func entity(of path: ResourcePath) -> ResourcePath? {
        guard case .entitySet(let set) = path.root, case .key(let key)? = path.segments.first else { return nil }
        return ResourcePath(set, key: key)
    }

    /// `Edits(7)/Items?$top=5` of `Products(1)/Items?$top=5`: the URL by the link of the entity that `path` begins with;
    /// nil where it has none.
    ///
    /// - Parameter link: That link, where the caller knows it.
    func url(_ url: String, of path: ResourcePath, dialect: ProtocolDialect, link: String? = nil) throws -> String? {
        guard let entity = Self.entity(of: path), let link = link ?? self.link(of: entity.url) else { return nil }
        let usual = try dialect.url(of: entity)
        guard url.hasPrefix(usual) else { return nil }
        let rest = url.dropFirst(usual.count)
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return nil }
        guard let query = link.firstIndex(of: "?") else { return link + rest }
        let (steps, options) = (rest.prefix { $0 != "?" }, rest.drop { $0 != "?" }.dropFirst())
        return link[..<query] + steps + link[query...] + (options.isEmpty ? "" : "&\(options)")
    }
}

extension ServiceConnection {
    /// What an edit link, relative to the root as all links of a payload, is worth: nil where it is that of convention, or leads to a host that is not allowed.
    ///
    /// - Returns: The link relative to the root, else absolute.
    func edit(
        _ link: String, of entity: ResourcePath, _ dialect: ProtocolDialect, _ model: EdmModel
    )
        -> String?
    {
        guard !link.allSatisfy(\.isWhitespace), let url = try? address.link(link, model: model) else {
            return nil
        }
        let root = address.root.description
        let text = url.description
        guard text.hasPrefix(root) else { return text }
        let relative = String(text.dropFirst(root.count))
        guard let usual = try? dialect.url(of: entity), relative != usual else { return nil }
        // `Vehicles(2)/Shop.Car`
        let isCast = relative.hasPrefix(usual + "/") && !relative.dropFirst(usual.count + 1).contains("/")
        if isCast, relative.dropFirst(usual.count + 1).contains(".") { return nil }
        let known = QueryParser(model: model).entityPath(ofAnyVersion: text, serviceRoot: root)
        return known.map { $0.segments == entity.segments && $0.rootSet?.name == entity.rootSet?.name } == true
            ? nil : relative
    }

    /// Takes in the edit links of entities as they come, and leaves only those that are needed.
    func take(_ block: inout RowBlock, shape: RowShape, _ dialect: ProtocolDialect) {
        guard block.rows.contains(where: { !$0.editLink.isNone }) else { return }
        var trail: [RowShape] = []
        for row in block.rows.indices {
            let header = block.rows[row]
            let depth = Int(header.depth)
            guard depth <= trail.count, header.change == .entity else { continue }
            trail.removeSubrange(depth...)
            guard depth == 0 || trail[depth - 1].children.indices.contains(Int(header.child)) else { continue }
            let own = depth == 0 ? shape : trail[depth - 1].children[Int(header.child)].shape
            trail.append(own)
            guard let link = block.text(header.editLink) else { continue }
            block.rows[row].editLink = .none
            guard let set = own.entitySet, let key = block.key(row: row, shape: own) else { continue }
            let entity = ResourcePath(set, key: key)
            let needed = edit(link, of: entity, dialect, own.model)
            editLinks.note(needed, of: entity.url)
            if let needed { block.rows[row].editLink = block.append(text: needed) }
        }
    }

    /// The same of an entity that a response to a change holds.
    func take(_ entity: inout EdmEntity, _ dialect: ProtocolDialect, _ model: EdmModel) {
        guard let link = entity.editLink else { return }
        entity.editLink = nil
        guard let set = entity.entitySet, let key = entity.key else { return }
        let path = ResourcePath(set, key: key)
        entity.editLink = edit(link, of: path, dialect, model)
        editLinks.note(entity.editLink, of: path.url)
    }
}
