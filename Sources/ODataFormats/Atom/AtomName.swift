import ODataMetadata

/// The names of elements and attributes in Atom, as far as readers know them.
///
/// [RFC 4287; RFC 5023; RFC 6721; OData-Atom]
struct AtomName: Equatable {
    enum Tag: UInt8 {
        case unknown
        // Atom
        case feed, entry, id, title, summary, updated, published, rights, author, contributor, name, email, uri
        case link, content, category
        // OData metadata
        case properties, inline, count, element, error, code, message, innerError
        /// An element of the data namespace: a property. ``AtomName/id`` reports its name.
        case data
        case deletedEntry
        // Attributes
        case relAttribute, hrefAttribute, typeAttribute, sourceAttribute, termAttribute, schemeAttribute, refAttribute
        case reasonAttribute, baseAttribute, etagAttribute, metadataTypeAttribute, nullAttribute
    }

    var tag: Tag
    /// A number of its own for each name.
    var number: Int32
}

/// The namespaces of Atom and of all versions of OData in it.
enum AtomNamespace {
    static let atom = "http://www.w3.org/2005/Atom"
    static let publishing = "http://www.w3.org/2007/app"
    static let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    static let scheme = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"
    static let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/"
    static let mediaResource = "http://schemas.microsoft.com/ado/2007/08/dataservices/mediaresource/"
    static let editMedia = "http://schemas.microsoft.com/ado/2007/08/dataservices/edit-media/"
    static let tombstones = "http://purl.org/atompub/tombstones/1.0"
    static let xml = "http://www.w3.org/XML/1998/namespace"
    static let gml = "http://www.opengis.net/gml"

    static func isData(_ namespace: String) -> Bool {
        namespace == data || namespace == "http://docs.oasis-open.org/odata/ns/data"
    }

    static func isMetadata(_ namespace: String) -> Bool {
        namespace == metadata || namespace == "http://docs.oasis-open.org/odata/ns/metadata"
    }

    /// The part of a `rel` attribute behind `prefix`, in the spelling of V1 to V3 or of V4.
    static func suffix(of rel: String, after prefix: String) -> String? {
        if let rest = rest(of: rel, after: prefix) { return rest }
        guard rel.utf8.starts(with: newer.utf8) else { return nil }
        return rest(of: rel, after: newer + prefix.dropFirst(data.utf8.count + 1))
    }

    private static let newer = "http://docs.oasis-open.org/odata/ns/"

    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

/// Gives names their tags and numbers.
struct AtomNames {
    /// Local names by number.
    private(set) var names: [String] = []

    mutating func add(namespace: String, name: String) -> AtomName {
        names.append(name)
        return AtomName(tag: Self.tag(namespace, name), number: Int32(names.count - 1))
    }

    private static func tag(_ namespace: String, _ name: String) -> AtomName.Tag {
        if namespace == AtomNamespace.atom { return atomTags[name] ?? .unknown }
        if AtomNamespace.isData(namespace) { return .data }
        if AtomNamespace.isMetadata(namespace) { return metadataTags[name] ?? .unknown }
        switch (namespace, name) {
        case ("", _): return attributeTags[name] ?? .unknown
        case (AtomNamespace.xml, "base"): return .baseAttribute
        case (AtomNamespace.tombstones, "deleted-entry"): return .deletedEntry
        default: return .unknown
        }
    }

    private static let atomTags: [String: AtomName.Tag] = [
        "feed": .feed, "entry": .entry, "id": .id, "title": .title, "summary": .summary, "updated": .updated,
        "published": .published, "rights": .rights, "author": .author, "contributor": .contributor, "name": .name,
        "email": .email, "uri": .uri, "link": .link, "content": .content, "category": .category,
    ]

    private static let metadataTags: [String: AtomName.Tag] = [
        "properties": .properties, "inline": .inline, "count": .count, "element": .element, "error": .error,
        "code": .code, "message": .message, "innererror": .innerError, "deleted-entry": .deletedEntry,
        "etag": .etagAttribute, "type": .metadataTypeAttribute, "null": .nullAttribute, "reason": .reasonAttribute,
    ]

    private static let attributeTags: [String: AtomName.Tag] = [
        "rel": .relAttribute, "href": .hrefAttribute, "type": .typeAttribute, "src": .sourceAttribute,
        "term": .termAttribute, "scheme": .schemeAttribute, "ref": .refAttribute, "reason": .reasonAttribute,
    ]
}

extension XMLAttributes where Symbol == AtomName {
    /// The position of the attribute; nil if it is not there.
    func index(of tag: AtomName.Tag) -> Int? {
        for index in 0..<count where name(index).tag == tag { return index }
        return nil
    }

    func text(of tag: AtomName.Tag) -> String? { index(of: tag).map(text) }

    /// `m:null="true"`
    var isNull: Bool {
        guard let index = index(of: .nullAttribute) else { return false }
        let text = bytes(index)
        return text.first == UInt8(ascii: "t") || text.first == UInt8(ascii: "1")
    }
}
