/// Marks requests to a service of which it is known that it carries out a request with `Repeatability-Request-ID` once,
/// however often it is sent: its metadata or an earlier response say so.
///
/// [Repeatable Requests 1.0]
public enum RepeatableRequests {
    /// Whether the service that a request is being sent to recognizes repeated ones.
    @TaskLocal public static var areRecognized = false
}
