import HTTPTypes
import ODataModel
import ODataQuery

extension EntitySet {
    /// The methods that the set's capability annotations take away.
    ///
    /// `Org.OData.Capabilities.V1.InsertRestrictions` with `Insertable` false, and the like.
    /// [OData-VocCap]
    var restrictedMethods: Set<HTTPRequest.Method> {
        var methods: Set<HTTPRequest.Method> = []
        if isForbidden(Annotation.insertable, "Insertable") { methods.insert(.post) }
        if isForbidden(Annotation.updatable, "Updatable") { methods.formUnion([.patch, .put]) }
        if isForbidden(Annotation.deletable, "Deletable") { methods.insert(.delete) }
        return methods
    }

    private func isForbidden(_ term: String, _ name: String) -> Bool {
        annotation(term)?[name] == .bool(false)
    }
}

extension ServiceCall {
    /// The methods that the resource's entity set does not take, for requests that change entities.
    func restrictedMethods(_ kind: ResourceKind) -> Set<HTTPRequest.Method> {
        guard case .query(let query) = resource else { return [] }
        // What a function gives is read; its members are changed where they are.
        if kind == .collection, query.path.lastCall != nil { return [.post, .patch] }
        guard let set = query.path.entitySet else { return [] }
        let methods = set.restrictedMethods
        switch kind {
        case .collection, .entity, .members, .media: return methods
        case .property, .complexProperty, .collectionProperty, .rawValue, .stream:
            return methods.contains(.patch) ? [.put, .patch, .post, .delete] : []
        default: return []
        }
    }
}
