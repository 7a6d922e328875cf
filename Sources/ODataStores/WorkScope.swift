/// The context of a request that a service passes to the store. Apps that ask a store themselves have no limits.
package struct WorkScope: Hashable, Sendable {
    /// How long the database may work until there is something to send; nil for any time. What is sent while it is read
    /// has so long for each of its parts.
    package var timeLimit: Duration?
    /// Who has sent the request: a user, or else an address. Long queries of many are carried out in turns.
    package var client: String?
    /// The user who has sent the request: results of repeatable requests are those of one user. Nil where users are not
    /// distinguished.
    package var user: String?

    package init(timeLimit: Duration? = nil, client: String? = nil, user: String? = nil) {
        self.timeLimit = timeLimit
        self.client = client
        self.user = user
    }
}
