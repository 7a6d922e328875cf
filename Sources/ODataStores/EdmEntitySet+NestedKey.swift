import ODataModel

extension EdmEntitySet {
    /// Why tables cannot keep the entities of the set: a part of their key is in a complex value, which is one column.
    /// Nil where they can.
    package var nestedKeyError: ODataError? {
        guard type.hasNestedKey else { return nil }
        let parts = zip(type.key, type.keyPaths).filter { $1.count != 1 }.map { name, path in
            let path = path.joined(separator: "/")
            return name == path ? path : "\(name) (\(path))"
        }
        return ODataError(
            .notImplemented,
            "The key of \(type.name), the type of \(name), has \(parts.joined(separator: ", ")) in a complex property, "
                + "which the store's tables cannot have as a key. Read \(name) from the service.")
    }
}
