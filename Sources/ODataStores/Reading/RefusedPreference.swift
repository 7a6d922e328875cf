/// A wish of ours that a service refuses to be told at one of its sets.
///
/// [OData-Protocol, section 8.2.8: a service may pass preferences over]
package struct RefusedPreference: Hashable, Sendable, Codable {
    /// The entity set, or where there is none the path.
    package var set: String
    /// Without `odata.`: `track-changes`, `maxpagesize`, `return`
    package var name: String

    package init(set: String, name: String) {
        (self.set, self.name) = (set, name)
    }
}

/// A store that asks again without its preferences where a service refuses a request because of them.
package protocol PreferringStore: ODataStore {
    /// What the service has refused so far, or is known to refuse.
    var refusedPreferences: Set<RefusedPreference> { get }

    /// Requests go without these from now on.
    func leaveOut(_ preferences: Set<RefusedPreference>)
}
