/// Text in which HTML forms, and the functions of many languages that write queries, have put `+` for each blank.
///
/// The same sign is a plus sign in text that is percent-encoded as the grammar has it. So text is read literally first.
/// If a `+` is where the grammar needs white space, that fails, and the text is form-encoded as a whole: every `+`
/// of it is a blank, in strings too; but before an offset and in an exponent, where nothing but a sign can stand, it is
/// one. `%2B` is a plus sign everywhere.
/// [HTML, section "URL-encoded form data"; RFC 3986, section 2.2]
extension QuerySource {
    /// What `read` makes of the text, and the text as it was understood.
    ///
    /// - Parameter range: What is form-encoded or not as a whole; nil for all query options.
    package func reading<Result>(
        _ range: Range<Int>? = nil, _ read: (QuerySource) throws(QueryError) -> Result
    ) throws(QueryError) -> (result: Result, source: QuerySource) {
        do throws(QueryError) {
            return (try read(self), self)
        } catch {
            guard let form = formEncoded(range ?? query) else { throw error }
            let literal = error
            do throws(QueryError) {
                return (try read(form), form)
            } catch {
                throw (error.position ?? 0) >= (literal.position ?? 0) ? error : literal
            }
        }
    }

    /// All query options; the whole text if it was not split.
    private var query: Range<Int> {
        guard let first = options.first, let last = options.last else {
            return segments.isEmpty ? 0..<text.count : text.count..<text.count
        }
        return first.name.lowerBound..<(last.value ?? last.name).upperBound
    }

    /// The text with a blank for each `+` in `range`; nil if there is none.
    private func formEncoded(_ range: Range<Int>) -> QuerySource? {
        let signs = range.filter(isPlusSign(at:))
        guard !signs.isEmpty else { return nil }
        var text = text
        for offset in signs { text[offset] = UInt8(ascii: " ") }
        return QuerySource(self, text: text, formBlanks: formBlanks.union(signs))
    }

    /// The text of a number, date or time: a blank in it that was a `+` is a sign.
    package func number(_ range: Range<Int>) -> ArraySlice<UInt8> {
        guard !formBlanks.isEmpty else { return text[range] }
        return text[range].map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }[...]
    }

    /// Whether a `+` is at `offset` that may stand for a blank.
    func isPlusSign(at offset: Int) -> Bool {
        isDecoded && text[offset] == UInt8(ascii: "+") && !encodedSigns.contains(offset)
    }
}
