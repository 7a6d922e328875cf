/// Marks requests that go to another origin than the service's: a redirect led there, or a link for a media stream.
///
/// Wherever an authentication middleware is in the chain, before the redirects or after them, it sees the mark
/// and adds nothing. Middleware of an app that adds secrets must ask ``isEntered`` too.
public enum ForeignOrigin {
    /// Whether the request is sent to another origin.
    @TaskLocal public static var isEntered = false
}
