/// What `$search` looks for.
///
/// [OData-URL, section 5.1.8]
public indirect enum SearchExpression: Hashable, Sendable {
    /// `mountain`
    case word(String)
    /// `"mountain bike"`, without the quotes
    case phrase(String)
    /// `NOT clothing`
    case not(SearchExpression)
    /// `mountain AND bike`, `mountain bike`
    case and([SearchExpression])
    /// `mountain OR bike`
    case or([SearchExpression])
}
