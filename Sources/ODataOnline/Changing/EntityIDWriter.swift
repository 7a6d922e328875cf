import ODataFormats
import ODataQuery
import ODataTransport

/// Writes the ids of entities as absolute URLs, which mean the same in every request: relative ones would be relative
/// to the request's URL. `$1` stays as it is.
struct EntityIDWriter: Sendable {
    let root: AbsoluteURL
    var dialect = ProtocolDialect.v4

    /// `http://host/root/Categories(1)`
    func text(_ reference: EntityReference) -> String {
        let url = dialect.url(of: reference)
        if url.hasPrefix("$") || AbsoluteURL(url) != nil || url.hasPrefix("/") { return url }
        return root.description + url
    }

    /// The id inside a query option, percent-encoded once more: `http://host/root/Items(ID=1,Name='a%2520b')`.
    func queryText(_ reference: EntityReference) -> String {
        var encoded = ""
        for scalar in text(reference).unicodeScalars {
            switch scalar {
            case "%": encoded += "%25"
            case "&": encoded += "%26"
            case "#": encoded += "%23"
            case "+": encoded += "%2B"
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }
}
