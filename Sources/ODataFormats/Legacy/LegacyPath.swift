import ODataModel
import ODataQuery

extension RowBlock {
    /// The path of an entity relative to the service root, as V2 writes it: `Codes(guid'…')`. It is made from the
    /// entity's key, or else from its id.
    func path(of header: RowHeader, shape: RowShape, options: LegacyWriterOptions) -> String? {
        if let set = shape.entitySet, set.kind == .entitySet, let key = key(row: header, shape: shape),
            let path = try? ResourcePath(set, key: key).legacyURL()
        {
            return path
        }
        guard let id = text(header.id) else { return nil }
        return id.hasPrefix(options.serviceRoot) ? String(id.dropFirst(options.serviceRoot.count)) : id
    }
}
