/// Who has sent the request that is being answered.
package enum RequestSender {
    /// The address that the connection comes from, set by the server; nil where there is no connection.
    @TaskLocal package static var address: String?

    /// The user, or else the address.
    static var name: String? { AuthenticatedUser.name ?? address }
}
