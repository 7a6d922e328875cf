/// The conditions of a request: one meaning and one message in all stores.
///
/// [RFC 9110, section 13.1]
package struct Precondition {
    let ifMatch: String?
    let ifNoneMatch: String?

    package init(_ request: ChangeRequest) {
        ifMatch = request.ifMatch
        ifNoneMatch = request.ifNoneMatch
    }

    package init(ifMatch: String?, ifNoneMatch: String?) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// Whether the request has no conditions: then the ETags need not be read.
    package var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

    /// - Parameter etags: The ETags of the resource; empty if it does not exist.
    /// - Throws: ``ODataError`` `preconditionFailed`.
    package func check(_ etags: [String]) throws {
        if let ifMatch, !Self.matches(ifMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity has changed: its ETag is not \(ifMatch).")
        }
        if let ifNoneMatch, Self.matches(ifNoneMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity exists, and If-None-Match is \(ifNoneMatch).")
        }
    }

    /// Compares as If-None-Match does, weakly: the ETags of entities are weak ones.
    package static func matches(_ header: String, _ etags: [String]) -> Bool {
        EntityTagList(header).matches(etags)
    }
}
