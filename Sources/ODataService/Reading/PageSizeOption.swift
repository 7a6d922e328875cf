/// The custom query option with which a link carries the page size on, so that all pages have the size that the first
/// one was asked for: `Products?$skiptoken=5&odata-maxpagesize=50`
///
/// [OData-Protocol, section 8.2.8.6]
enum PageSizeOption {
    static let name = "odata-maxpagesize"

    /// The size that a link with a token says; nil for none, and for what is not a size.
    static func size(in url: RequestURL) -> Int? {
        guard url["$skiptoken"] != nil || url["$deltatoken"] != nil else { return nil }
        return url[name].flatMap { number($0) }
    }

    /// `link` with the option behind it.
    static func carried(by link: String, _ size: Int?) -> String {
        guard let size else { return link }
        return link + (link.contains("?") ? "&" : "?") + "\(name)=\(size)"
    }

    /// A whole number above zero.
    static func number(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }
}
