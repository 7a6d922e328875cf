import ODataModel

/// `Retry-After: 120` or `Retry-After: Fri, 31 Dec 1999 23:59:59 GMT`.
///
/// [RFC 9110, section 10.2.3]
package enum RetryAfter {
    /// Seconds to wait, never negative; nil if `text` is neither a number nor a date.
    ///
    /// - Parameter now: Seconds since 1970.
    package static func seconds(_ text: String, now: Int64) -> Int? {
        let text = text.drop { $0 == " " }
        if let seconds = Int(text) { return max(0, seconds) }
        return EdmDateTimeOffset(httpDate: String(text)).map { Int(max(0, $0.secondsSinceEpoch - now)) }
    }
}
