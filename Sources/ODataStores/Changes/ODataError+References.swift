import ODataModel

/// Faults of references that changes set or remove: one message in all stores.
extension ODataError {
    /// A navigation property that must lead to an entity would lead to none.
    package static func mustLead(_ navigation: String) -> ODataError {
        ODataError(
            .badRequest,
            "The navigation property \(navigation) must lead to an entity: set another reference instead of removing it."
        )
    }

    /// A reference to an entity of another set than the one that the navigation property leads to.
    package static func wrongSet(_ navigation: String, takes set: String, not reference: String) -> ODataError {
        ODataError(
            .badRequest,
            "The navigation property \(navigation) leads to entities of \(set), not to \(reference).")
    }

    /// The entities that the navigation property leads to are in no table of the store.
    package static func unkept(_ navigation: String) -> ODataError {
        ODataError(.notImplemented, "The store cannot keep the navigation property \(navigation).")
    }

    package static func noNavigation(_ name: String, of type: EdmQualifiedName) -> ODataError {
        ODataError(.badRequest, "\(type) has no navigation property \(name).")
    }
}
