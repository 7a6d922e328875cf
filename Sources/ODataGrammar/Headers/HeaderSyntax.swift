import ODataQuery

/// A header of the protocol as written.
///
/// [OData-ABNF, section 8: Header values]
enum HeaderSyntax: Equatable {
    /// `AsyncResult: 200`
    case asyncResult(Int)
    /// `Content-ID: 1`
    case contentID(String)
    /// `OData-Isolation: snapshot`
    case isolation
    /// `OData-EntityId: http://host/service/Products(1)`
    case entityID(String)
    /// `OData-Error: {"code":"err123",…}`
    case error(String)
    /// `OData-MaxVersion: 4.01`
    case maxVersion(String)
    /// `OData-Version: 4.01`
    case version(String)
    /// `Prefer: return=minimal,odata.maxpagesize=20`
    case prefer([Preference])
}

/// A preference of a request: `return=minimal`, `odata.callback;url="http://host/token"`
///
/// [OData-Protocol, section 8.2.8; RFC 7240]
package struct Preference: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// In lower case, without the prefix `odata.`.
    package var name: String
    /// Without quotes.
    package var value: String?
    package var parameters: [Parameter]

    package init(name: String, value: String? = nil, parameters: [Parameter] = []) {
        self.name = name
        self.value = value
        self.parameters = parameters
    }
}
