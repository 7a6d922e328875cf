import ODataModel

/// The wording of errors that several stores and services throw: one text for one fault.
extension ODataError {
    package static var noSuchEntity: ODataError { ODataError(.notFound, "There is no such entity.") }

    /// - Parameter path: That of the entity or stream property: `Photos(1)`
    package static func noStream(of path: String) -> ODataError { ODataError(.notFound, "\(path) has no stream.") }

    /// A change of a stream without its bytes.
    package static var missingContent: ODataError {
        ODataError(.badRequest, "The request does not have the content of a stream.")
    }

    /// - Parameter path: `Photos(1)/Name`
    package static func notAStream(_ path: String) -> ODataError { ODataError(.badRequest, "\(path) is not a stream.") }

    /// - Parameter path: `Products(1)/Name`; nil if the message is not to repeat it.
    package static func notEntities(_ path: String? = nil) -> ODataError {
        ODataError(.badRequest, "The path \(path.map { "\($0) " } ?? "")does not lead to entities.")
    }

    /// - Parameter path: `Products(1)`
    package static func notAProperty(_ path: String) -> ODataError {
        ODataError(.badRequest, "The path \(path) does not lead to a property.")
    }

    /// - Parameter ifMatch: The condition of the request.
    package static func changedStream(_ ifMatch: String) -> ODataError {
        ODataError(.preconditionFailed, "The stream has changed: its ETag is not \(ifMatch).")
    }

    /// A program's own mistake: a transaction, a change or a read has returned without its result.
    ///
    /// - Parameter operation: `The transaction`
    package static func noResult(of operation: String) -> ODataError {
        ODataError(.internalError, "\(operation) has no result.")
    }

    /// A stream of this length has none of the bytes that were asked for.
    package static func rangeNotSatisfiable(length: Int64) -> ODataError {
        var error = ODataError(
            .rangeNotSatisfiable, "The stream has \(length) bytes and none in the requested range.")
        error.facts.streamLength = length
        return error
    }

    /// - Parameter properties: `Products.ID`
    package static func notUnique(_ properties: String, cause: (any Error)? = nil) -> ODataError {
        ODataError(.conflict, "Another entity has the same value of \(properties).", cause: cause)
    }

    /// [OData-Protocol, section 11.4.5]
    package static var singletonDeletion: ODataError { ODataError(.methodNotAllowed, "A singleton cannot be deleted.") }

    /// A creation of media entities from properties alone, which a service would take for the stream.
    ///
    /// [OData-Protocol, section 11.4.7.1]
    package static func needsStream(_ collection: String) -> ODataError {
        ODataError(
            .badRequest,
            "\(collection) has media entities, which are created with their streams: use createMedia, or 'odata store "
                + "media create --properties'.")
    }
}
