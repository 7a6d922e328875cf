import ODataModel

/// Resource paths.
///
/// [OData-URL, section 4]
extension Binder {
    /// - Parameter scope: what `$it` stands for in the arguments of functions.
    func resourcePath(
        _ segments: ArraySlice<SegmentSyntax>, in scope: BindingScope = BindingScope(type: nil, set: nil)
    ) throws(QueryError) -> ResourcePath {
        guard let first = segments.first else {
            throw error(.syntax, "The path is empty.", at: 0, expected: "an entity set")
        }
        let root = try root(first, in: scope)
        if segments.count == 1, first.parentheses.isEmpty { return ResourcePath(root: root) }
        var walk = ResourcePathBinder(binder: self, scope: scope, root: root)
        var taken = 0
        if case .operation = root { taken = 1 }
        for parentheses in first.parentheses.dropFirst(taken) { try walk.key(parentheses) }
        var rest = segments.dropFirst()
        while !rest.isEmpty { rest = rest.dropFirst(max(1, try walk.follow(rest))) }
        return walk.path
    }

    private func root(_ segment: SegmentSyntax, in scope: BindingScope) throws(QueryError) -> ResourcePath.Root {
        switch segment.kind {
        case .all: return .all
        case .crossjoin(let names):
            var sets: [EdmEntitySet] = []
            for name in names {
                let set = try entitySet(name)
                // Each is a navigation property of its own name in what comes.
                guard !sets.contains(where: { $0.name == set.name }) else {
                    throw error(
                        .syntax, "The entity set \(set.name) is joined with itself.", at: name.offset,
                        expected: "another entity set")
                }
                sets.append(set)
            }
            return .crossjoin(sets)
        case .reference: return try content(segment.name)
        case .name: break
        default: throw error(.syntax, "A path starts with a name.", at: segment.name.offset, expected: "an entity set")
        }
        let name = segment.name
        if let set = model.entitySet(named: unqualified(name.text)) { return .entitySet(set) }
        if let declared = model.operationImport(named: unqualified(name.text)) {
            let overloads = model.operations(named: declared.operation).filter { !$0.isBound }
            let call = try call(segment, overloads: overloads, on: Subject(), importing: declared, in: scope)
            return .operation(call)
        }
        throw unknownResource(name)
    }

    /// A name may have the container's before it.
    private func unqualified(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            model.schemas.contains(where: { schema in
                schema.container.map { name[..<dot] == $0 || name[..<dot] == "\(schema.namespace).\($0)" } ?? false
            })
        else { return name }
        return String(name[name.utf8.index(after: dot)...])
    }

    private func entitySet(_ name: NameSyntax) throws(QueryError) -> EdmEntitySet {
        guard let set = model.entitySet(named: name.text), set.kind == .entitySet else { throw unknownResource(name) }
        return set
    }

    private func unknownResource(_ name: NameSyntax) -> QueryError {
        let known = model.entitySets.map(\.name) + model.schemas.flatMap(\.operationImports).map(\.name)
        return unknown("entity set \(name.text)", name, among: known)
    }

    /// `$1`
    private func content(_ name: NameSyntax) throws(QueryError) -> ResourcePath.Root {
        let id = String(name.text.dropFirst())
        if let set = contentIDs[id] { return .contentID(id, set) }
        if id.utf8.first.map({ isDigit($0) }) ?? false {
            throw unknown("request with the content id \(id)", name, among: [])
        }
        throw unknown("resource \(name.text)", name, among: ["$metadata", "$batch", "$entity", "$all", "$crossjoin"])
    }
}
