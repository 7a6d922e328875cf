import HTTPTypes

/// A preference of `Prefer` or `Preference-Applied`: `odata.maxpagesize=50`
///
/// [OData-Protocol, section 8.2.8; RFC 7240]
package struct HeaderPreference: Hashable, Sendable {
    /// In lower case, without `odata.`: both spellings name the same preference.
    package var name: String
    /// The name in lower case as it was sent.
    package var spelling: String
    /// Without quotes; nil where there is no `=`.
    package var value: String?
}

extension HTTPFields {
    /// The preferences of all header fields of this name, `Prefer` or `Preference-Applied`, in their order.
    package func preferences(in field: HTTPField.Name) -> [HeaderPreference] {
        HeaderElement.list(self[values: field].joined(separator: ",")).map { element in
            let written = HeaderElement.parameter(element.value)
            let name = written.name.hasPrefix("odata.") ? String(written.name.dropFirst(6)) : written.name
            return HeaderPreference(name: name, spelling: written.name, value: written.value)
        }
    }
}
