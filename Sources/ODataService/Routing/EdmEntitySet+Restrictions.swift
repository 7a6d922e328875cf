import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores

extension EdmEntitySet {
    /// The methods that the set's capability annotations take away.
    ///
    /// `Org.OData.Capabilities.V1.InsertRestrictions` with `Insertable` false, and the like.
    /// [OData-VocCap]
    var restrictedMethods: Set<HTTPRequest.Method> {
        var methods: Set<HTTPRequest.Method> = []
        if rejects(.insert) { methods.insert(.post) }
        if rejects(.update) { methods.formUnion([.patch, .put, .merge]) }
        if rejects(.delete) { methods.insert(.delete) }
        return methods
    }
}

extension ServiceCall {
    /// The methods that this very resource does not take, though others of its kind do.
    func restrictedMethods(_ kind: ResourceKind) -> Set<HTTPRequest.Method> {
        guard case .query(let query) = resource else { return [] }
        let path = query.path
        guard kind != .action, !path.isReadOnly else { return kind == .action ? [] : Self.changingMethods }
        guard let set = path.entitySet else { return [] }
        let methods = set.restrictedMethods
        switch kind {
        case .collection: return path.isFiltered ? methods.union([.post]) : methods
        case .members, .media: return methods
        case .entity: return path.isSingleton ? methods.union([.delete]) : methods
        case .property, .complexProperty, .collectionProperty, .rawValue, .stream:
            return methods.contains(.patch) ? Self.changingMethods : []
        default: return []
        }
    }

    /// Every method that the resource takes, whichever one the request has: what `Allow` lists.
    func allowedMethods(_ kind: ResourceKind) -> [HTTPRequest.Method] {
        let restricted = restrictedMethods(kind)
        return Router.allowed(kind, isReadOnly: service.configuration.isReadOnly, isV2: request.isV2)
            .filter { !restricted.contains($0) }
    }

    private static let changingMethods: Set<HTTPRequest.Method> = [.post, .patch, .put, .delete, .merge]
}

extension ResourcePath {
    /// Whether this is what a function gives, or of many sets: it is read, and its entities are changed where they are.
    fileprivate var isReadOnly: Bool {
        switch root {
        case .crossjoin, .all: true
        default: resource.lastCall != nil
        }
    }

    /// `Products/$filter(Price gt 5)`: nothing is created there.
    fileprivate var isFiltered: Bool { if case .filter = segments.last { true } else { false } }

    fileprivate var isSingleton: Bool {
        guard case .entitySet(let set) = root, set.kind == .singleton else { return false }
        return segments.allSatisfy { if case .cast = $0 { true } else { false } }
    }
}
