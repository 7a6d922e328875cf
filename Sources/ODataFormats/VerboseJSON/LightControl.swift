/// What an annotation in the light JSON of V3 describes an entity: `odata.etag`, `Items@odata.nextLink`.
///
/// A service that does not know verbose JSON responds so. [OData-JSON-Format V3, section 4.5]
enum LightControl: Hashable {
    case id, editLink, etag, type
    /// Of the media entity's own stream, by the name that verbose JSON has for it.
    case media(String)
    case stream(property: String, String)
    case count(child: Int)
    case nextLink(child: Int)
    case other

    static func isAnnotation(_ name: String) -> Bool { name.hasPrefix("odata.") || name.contains("@odata.") }

    /// Nil if `name` is not an annotation.
    init?(_ name: String, level: ShapeLevel) {
        guard Self.isAnnotation(name) else { return nil }
        let at = name.firstIndex(of: "@")
        let term = name[(at.map(name.index(after:)) ?? name.startIndex)...].dropFirst("odata.".count)
        guard let at else {
            self = Self.ofEntity(term)
            return
        }
        let target = String(name[..<at])
        switch (term, level.shape.child(of: target)) {
        case ("count", let child?): self = .count(child: child)
        case ("nextLink", let child?): self = .nextLink(child: child)
        default:
            let media = level.streams.contains(target) ? Self.media(term) : nil
            self = media.map { .stream(property: target, $0) } ?? .other
        }
    }

    private static func ofEntity(_ term: Substring) -> LightControl {
        switch term {
        case "id": .id
        case "editLink": .editLink
        case "etag": .etag
        case "type": .type
        default: media(term).map { .media($0) } ?? .other
        }
    }

    private static func media(_ term: Substring) -> String? {
        switch term {
        case "mediaReadLink": "media_src"
        case "mediaEditLink": "edit_media"
        case "mediaContentType": "content_type"
        case "mediaETag", "mediaEtag": "media_etag"
        default: nil
        }
    }
}

extension VerboseRowParser {
    mutating func take(_ control: LightControl, row: Int, level: Int) throws(JSONFault) {
        switch control {
        case .id:
            let id = try span()
            if composer.block.rows[row].id.isNone { composer.block.rows[row].id = id }
        case .editLink:
            let link = try span()
            (composer.block.rows[row].id, composer.block.rows[row].editLink) = (link, link)
        case .etag:
            let tag = try span()
            composer.block.rows[row].etag = composer.block.entityTag(tag)
        case .type:
            guard let text = try optionalText(), let type = levels[level].types[text] else { return }
            try setType(type, row: row, level: level)
        case .media(let name): try media(name, of: \.entity, row: row)
        case .stream(let property, let name): try media(name, of: \.properties[property], row: row)
        case .count(let child):
            let count = try count()
            let child = composer.child(child, of: row, shape: levels[level].shape)
            composer.changeExpansion(of: row, child: child) { $0.count = count }
        case .nextLink(let child):
            let link = try link()
            let child = composer.child(child, of: row, shape: levels[level].shape)
            composer.changeExpansion(of: row, child: child) { $0.nextLink = link }
        case .other: try cursor.skipValue(depth: depthLimit)
        }
    }
}
