import ODataStores

/// The conditions of a request.
///
/// [RFC 9110, section 13.1]
struct Precondition {
    let ifMatch: String?
    let ifNoneMatch: String?

    init(_ request: ChangeRequest) {
        ifMatch = request.ifMatch
        ifNoneMatch = request.ifNoneMatch
    }

    init(ifMatch: String?, ifNoneMatch: String?) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// - Parameter etags: The ETags that the resource answers to; empty if it does not exist.
    /// - Throws: ``ODataError`` `preconditionFailed`.
    func check(_ etags: [String]) throws {
        if let ifMatch, !Self.matches(ifMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity has changed: its ETag is not \(ifMatch).")
        }
        if let ifNoneMatch, Self.matches(ifNoneMatch, etags) {
            throw ODataError(.preconditionFailed, "The entity exists, and If-None-Match is \(ifNoneMatch).")
        }
    }

    /// Compares as If-None-Match does, weakly: the ETags of entities are weak ones.
    static func matches(_ header: String, _ etags: [String]) -> Bool {
        EntityTagList(header).matches(etags)
    }
}
