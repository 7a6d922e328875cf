/// What is an ETag of what is sent as one: some services send an empty one where they have none.
package enum EntityTag {
    /// Nil of an empty text, `""` and `W/""`, which do not distinguish versions.
    package static func checked(_ text: String?) -> String? {
        guard let text, isTag(text.utf8) else { return nil }
        return text
    }

    fileprivate static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= 6 else { return true }
        let text = bytes.filter { $0 > 0x20 }
        return ![[], [0x22, 0x22], [0x57, 0x2F, 0x22, 0x22]].contains(text)
    }
}

extension RowBlock {
    /// The span of an ETag, or none of what is not an ETag.
    package func entityTag(_ span: RowSpan) -> RowSpan {
        span.isNone || EntityTag.isTag(buffer[span.range]) ? span : .none
    }
}
