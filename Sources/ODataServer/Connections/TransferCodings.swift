/// The transfer codings of a request: the encodings of its body, in order, ending with chunks.
///
/// [RFC 9112, sections 6.1 and 6.3]
struct TransferCodings {
    /// `gzip, chunked`
    let text: String
    private let names: [String]

    /// - Parameter fields: The `Transfer-Encoding` fields; nil for none, which is a body without.
    init?(_ fields: [String]) {
        guard !fields.isEmpty else { return nil }
        text = fields.joined(separator: ", ")
        names = text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map { name in
            String(name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
        }
    }

    /// Whether the body is not encoded.
    var isDecoded: Bool { names == ["chunked"] }

    /// Whether the chunks show where the body ends: they come last, and once.
    var hasEnd: Bool { names.last == "chunked" && names.count { $0 == "chunked" } == 1 }
}
