import ODataModel

/// The complex properties that a path contains after the entity, for bindings of what is in them.
///
/// [OData-CSDLXML, section 13.4.1: Navigation Property Path Binding]
struct ComplexPath {
    private var steps: [BindingStep] = []

    /// Continues from a value of `owner`, after any cast, to one of its properties.
    mutating func follow(_ property: EdmProperty, of owner: EdmStructuredType?) {
        steps.append(BindingStep(name: property.name, owner: owner))
    }

    /// The set that a navigation property of a value of `owner` leads to, where a new path starts.
    mutating func follow(
        _ navigation: EdmNavigationProperty, of owner: EdmStructuredType?, from set: EdmEntitySet?, in model: EdmModel
    ) -> EdmEntitySet? {
        let target = self.target(of: navigation, of: owner, from: set, in: model)
        steps = []
        return target
    }

    /// The set that a navigation property of a value of `owner` leads to.
    func target(
        of navigation: EdmNavigationProperty, of owner: EdmStructuredType?, from set: EdmEntitySet?, in model: EdmModel
    ) -> EdmEntitySet? {
        guard !steps.isEmpty else { return model.targetSet(of: navigation, from: set, as: owner) }
        return model.targetSet(
            of: navigation, from: set, along: steps + [BindingStep(name: navigation.name, owner: owner)])
    }
}
