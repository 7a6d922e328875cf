import ODataStores

/// The wording of errors that several parts of the offline store throw: one text for one fault.
extension ODataError {
    static var withoutService: ODataError { ODataError(.unreachable, "The store was opened without a service.") }

    static func noDefiningQuery(_ name: String) -> ODataError {
        ODataError(.notFound, "There is no defining query named \(name).")
    }

    /// - Parameter url: Of the entity: `Orders(1)`
    static func notInStore(_ url: String) -> ODataError { ODataError(.notFound, "\(url) is not in the store.") }

    static var noEntities: ODataError {
        ODataError(.invalidResponse, "The response does not contain entities.")
    }

    static func uncheckedFolder(_ error: any Error) -> ODataError {
        ODataError(.storage, "The media folder cannot be checked: \(error)", cause: error)
    }
}
