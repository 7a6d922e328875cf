import ODataModel
import ODataSQL
import ODataSQLite
import Synchronization

/// The table that an offline store keeps for the entities of one set, of all their types.
///
/// Columns of the store's own begin with `$`, which no OData identifier contains: `$id`, `$state`, `$etag`,
/// `$holders0`, `$media$type`. The others are the structural properties, under their names.
package struct LocalTable: Sendable {
    /// Contained entities belong to one entity, whose row id is in their rows.
    package struct Container: Sendable {
        /// The set of the containing entities.
        package var set: String
        package var navigation: EdmNavigationProperty
        /// `/Items`, `/Shop.Car/Stickers`: what follows the containing entity in paths.
        package var path: String
        /// The type that ``path`` names.
        package var cast: EdmStructuredType?
    }

    /// The set; for contained entities one that the model does not know, named `Orders/Items`.
    package let set: EdmEntitySet
    /// The set's type, then those derived from it.
    package let types: [EdmStructuredType]
    /// The navigation properties of all types.
    package let navigations: [BoundNavigation]
    package let container: Container?
    /// `Orders`
    package let name: String
    package var columns: [LocalColumn] { parts.made.columns }
    /// The media stream of a media entity, and stream properties.
    package var streams: [LocalStream] { parts.made.streams }
    private let parts: TableParts

    package init(set: EdmEntitySet, name: String, model: EdmModel, container: Container? = nil) {
        self.set = set
        self.name = name
        self.container = container
        types = [set.type] + model.derivedTypes(of: set.type)
        navigations = model.navigations(of: set, types: types)
        parts = TableParts(types: types)
    }

    /// The table for the resolver of navigation properties.
    var place: NavigationResolver.Place {
        .init(set: set, types: types, navigations: navigations, container: container?.set, table: name) { property in
            column(of: property).map { .init(name: $0.name, affinity: $0.affinity) }
        }
    }

    /// The columns of a version that are not declared properties: the edit link, the type's name, dynamic properties.
    package var hiddenColumns: [String] {
        [HiddenColumn.editLink.name] + (types.count > 1 ? [HiddenColumn.type.name] : [])
            + (types.contains(where: \.isOpen) ? [HiddenColumn.dynamic.name] : [])
    }

    /// The service's versions of the rows that have changes made here.
    package var baseName: String { "$base$\(name)" }
    /// Versions that came from the service while a row had changes made here.
    package var theirsName: String { "$theirs$\(name)" }

    /// The columns of the key, in its order; `$one` for a singleton, `$parent` first for contained entities.
    package var keyColumns: [String] {
        let names = set.type.key.compactMap { column(of: $0)?.name }
        if let container { return [HiddenColumn.parent.name] + (container.navigation.isCollection ? names : []) }
        return names.isEmpty ? [HiddenColumn.single.name] : names
    }

    package func column(of property: String) -> LocalColumn? { columns.first { $0.property.name == property } }

    package func stream(of property: String?) -> LocalStream? { streams.first { $0.property == property } }

    /// `"a"."OrderID" = "b"."OrderID" AND …`
    package func keysEqual(_ left: String, _ right: String) -> String {
        keyColumns.map { "\(left).\(quoted($0)) = \(right).\(quoted($0))" }.joined(separator: " AND ")
    }
}

/// The columns of a table, made when they are first asked for: a service may have far more sets than a store holds.
private final class TableParts: Sendable {
    struct Parts: Sendable {
        var columns: [LocalColumn]
        var streams: [LocalStream]
    }

    private let types: [EdmStructuredType]
    private let state = Mutex<Parts?>(nil)

    init(types: [EdmStructuredType]) { self.types = types }

    var made: Parts {
        state.withLock { state in
            let parts = state ?? make()
            state = parts
            return parts
        }
    }

    private func make() -> Parts {
        var names = LocalNames()
        let key = types.first?.key ?? []
        let properties = Self.unique(types.flatMap(\.properties))
        let columns = properties.filter { !$0.isStream }.map { property in
            // The store's own columns begin with `$`.
            let wanted = property.name.hasPrefix("$") ? "_" + property.name : property.name
            return LocalColumn(
                property: property, name: names.name(for: wanted), codec: ColumnCodec(local: property.type),
                isKey: key.contains(property.name))
        }
        let media: [LocalStream] = types.contains(where: \.hasStream) ? [LocalStream(property: nil)] : []
        return Parts(
            columns: columns, streams: media + properties.filter(\.isStream).map { LocalStream(property: $0.name) })
    }

    /// Each name once: of properties of one name that sibling types declare, the first.
    private static func unique(_ properties: [EdmProperty]) -> [EdmProperty] {
        var names: Set<String> = []
        return properties.filter { names.insert($0.name).inserted }
    }
}

/// A structural property's column.
package struct LocalColumn: Sendable {
    package let property: EdmProperty
    package let name: String
    package let codec: ColumnCodec
    package let isKey: Bool

    var affinity: ColumnAffinity { ColumnAffinity(declaredType: codec.localDeclaration) }

    /// `"Price" TEXT COLLATE ODATA_DECIMAL`
    var definition: String { "\(quoted(name)) \(codec.localDeclaration)\(isKey ? " NOT NULL" : "")" }
}

/// The columns for one stream of an entity.
package struct LocalStream: Sendable, Hashable {
    /// Nil for the stream of a media entity.
    package let property: String?

    private func column(_ part: String) -> String { "$\(property ?? "media")$\(part)" }

    /// The media type, as the service gave it or as set here.
    package var type: String { column(property == nil ? "type" : "ptype") }
    /// The service's ETag of the stream.
    package var etag: String { column(property == nil ? "etag" : "petag") }
    package var readLink: String { column(property == nil ? "read" : "pread") }
    package var editLink: String { column(property == nil ? "edit" : "pedit") }
    /// The digest of the content that is in the media folder.
    package var digest: String { column(property == nil ? "digest" : "pdigest") }
    /// The version that ``digest`` belongs to: the stream's ETag, else the entity's.
    package var fetched: String { column(property == nil ? "fetched" : "pfetched") }
    /// 1 while the content set here is not sent.
    package var changed: String { column(property == nil ? "changed" : "pchanged") }
    /// 1 while the content, which was evicted, is only to be fetched when it is asked for.
    package var evicted: String { column(property == nil ? "evicted" : "pevicted") }

    /// The ETag for readers, as an expression: content set here has a tag of its own, and so has content of which the
    /// service gave none.
    package var tag: SQLFragment {
        let own: SQLFragment = "'\"' || \(SQLFragment.row(digest)) || '\"'"
        return "CASE WHEN \(.row(changed)) <> 0 THEN \(own) ELSE coalesce(\(.row(etag)), \(own)) END"
    }

    /// What the service describes a stream.
    package var control: [String] { [type, etag, readLink, editLink] }
    package var all: [String] { control + [digest, fetched, changed, evicted] }
}
