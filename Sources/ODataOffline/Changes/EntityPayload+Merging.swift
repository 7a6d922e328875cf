import ODataModel
import ODataQuery
import ODataStores

extension EntityPayload {
    /// What is said later of a navigation property, by a binding or by its foreign key, takes the place of what was
    /// said before; where the navigation property leads to many, it is added. Of complex values only the members given
    /// later change.
    ///
    /// - Parameter isUpdate: Whether this is a PATCH, which leaves what it does not name as it is.
    mutating func set(_ other: EntityPayload, of declared: EdmStructuredType, in model: EdmModel, isUpdate: Bool) {
        self.type = other.type ?? self.type
        let type = self.type.flatMap { model.structuredType(named: $0) } ?? declared
        let later = other.properties
        let completion = PatchCompletion(model: model)
        properties = properties.merging(
            isUpdate ? completion.completed(later, after: properties, of: type) : later)
        for name in later.names {
            bindings.removeAll { binding in
                let constraints = type.navigationProperty(named: binding.navigation)?.constraints ?? []
                return constraints.contains { $0.property == name }
            }
        }
        for binding in other.bindings { set(binding, of: type.navigationProperty(named: binding.navigation), type) }
    }

    private mutating func set(_ binding: Binding, of navigation: EdmNavigationProperty?, _ type: EdmStructuredType) {
        for constraint in navigation?.constraints ?? [] where !type.key.contains(constraint.property) {
            properties[constraint.property] = nil
        }
        // A link is removed by a request of its own.
        guard !binding.references.isEmpty || navigation?.isCollection == true else {
            return bindings.removeAll { $0.navigation == binding.navigation }
        }
        guard let index = bindings.firstIndex(where: { $0.navigation == binding.navigation }) else {
            return bindings.append(binding)
        }
        guard navigation?.isCollection == true else {
            bindings[index] = binding
            return
        }
        let known = bindings[index].references
        bindings[index].references += binding.references.filter { !known.contains($0) }
    }
}
