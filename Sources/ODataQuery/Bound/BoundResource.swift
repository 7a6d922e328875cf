/// What a URL relative to the service root stands for.
///
/// [OData-URL, sections 4.1 to 4.3]
public enum BoundResource: Hashable, Sendable {
    /// The service root itself.
    case serviceDocument
    /// `$metadata`
    case metadata
    /// `$batch`
    case batch
    /// Everything else: data, the call of an operation, a stream, with or without options.
    case query(BoundQuery)
}
