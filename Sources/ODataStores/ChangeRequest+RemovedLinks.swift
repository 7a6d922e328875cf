import ODataModel
import ODataQuery

extension EntityPayload {
    /// Takes out what removes the link of a single-valued navigation property, `"Category@odata.bind":null` and
    /// `"Category":null`; says of which.
    package mutating func takeRemovedLinks(of type: EdmStructuredType) -> [EdmNavigationProperty] {
        let removed = type.navigationProperties.filter { navigation in
            !navigation.isCollection
                && (bindings.contains { $0.navigation == navigation.name && $0.references.isEmpty }
                    || nested.contains { $0.navigation == navigation.name && $0.entities.isEmpty })
        }
        let names = Set(removed.map(\.name))
        bindings.removeAll { names.contains($0.navigation) }
        nested.removeAll { names.contains($0.navigation) }
        return removed
    }
}

extension ChangeRequest {
    /// The change as a 4.0 service takes it: an update cannot remove the link of a single-valued navigation property
    /// there, `DELETE Products(1)/Category/$ref` does. The first request is the change itself, unless it says nothing
    /// but that.
    ///
    /// A new entity has no links to remove.
    ///
    /// [OData-Protocol 4.0, section 11.4.6.2: Remove a Reference to an Entity]
    package func separatingRemovedLinks(in model: EdmModel) -> [ChangeRequest] {
        guard let declared = target.entityType(in: model) else { return [self] }
        var own = self
        var removed: [EdmNavigationProperty] = []
        var isNeeded = true
        var type = declared
        func take(_ payload: inout EntityPayload) {
            type = payload.type.flatMap { model.structuredType(named: $0) } ?? declared
            removed = payload.takeRemovedLinks(of: type)
        }
        switch operation {
        case .create(var payload):
            take(&payload)
            own.operation = .create(payload)
            return [own]
        case .update(var payload):
            take(&payload)
            own.operation = .update(payload)
            isNeeded = payload != EntityPayload()
        case .replace(var payload):
            take(&payload)
            own.operation = .replace(payload)
        default: return [self]
        }
        guard !removed.isEmpty else { return [self] }
        let requests = removed.map { ChangeRequest(path(to: $0, of: type, declared), .removeReference(nil)) }
        return isNeeded ? [own] + requests : requests.enumerated().map { $0 == 0 ? $1.taking(self) : $1 }
    }

    /// `Products(1)/Category`, `Products(1)/Shop.Tea/Garden`
    private func path(
        to navigation: EdmNavigationProperty, of type: EdmStructuredType, _ declared: EdmStructuredType
    ) -> ResourcePath {
        let isOfAll = declared.navigationProperty(named: navigation.name) == navigation
        let owner = isOfAll ? target.resource : target.resource.appending(.cast(type))
        return owner.appending(.navigation(navigation, nil))
    }

    /// What is said of the change beside its operation.
    private func taking(_ other: ChangeRequest) -> ChangeRequest {
        var request = other
        (request.target, request.operation, request.editLink) = (target, operation, nil)
        (request.returnPreference, request.allowsCreate) = (nil, false)
        return request
    }
}
