/// How the content of a stream property is in JSON: by its media type.
///
/// [OData-JSON, section 9: Stream Property]
enum StreamForm {
    /// As it is.
    case json
    /// A string.
    case text
    /// A string of base64url.
    case binary

    init(mediaType: String?) {
        let name = mediaType?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
        if name == "application/json" || name.hasPrefix("application/") && name.hasSuffix("+json") {
            self = .json
        } else {
            self = name.hasPrefix("text/") ? .text : .binary
        }
    }
}
