import ODataModel

/// Follows the next links of a read and detects when they do not end: in a cycle, or on and on through pages
/// that bring nothing.
///
/// Circles by Brent's algorithm: each link is compared with one earlier link, which moves on after 1, 2, 4, … links. A
/// circle is noticed after at most three times the links that lead round it and to it, and one link is kept.
package struct NextLinkTrail: Sendable {
    /// How many pages in a row may bring nothing new: some services return pages without rows while they search.
    package static let idleLimit = 100

    private enum Page: Equatable {
        /// With the first one's key, where it is known.
        case rows(EntityKey?)
        /// Unchanged, without a model that declares their keys: their hash.
        case text(Int)
    }

    private var mark: String?
    private var steps = 0
    private var limit = 1
    /// What is known of the page that is read; nil while it has no rows.
    private var page: Page?
    private var last: Page?
    private var idlePages = 0

    package init() {}

    /// Notes rows of the page that is read.
    package mutating func note(_ block: RowBlock, _ shape: RowShape) {
        guard page == nil, !block.isEmpty else { return }
        // Without keys nothing distinguishes one page from another that has the same values.
        page = .rows(block.rows[0].change == .entity ? block.key(row: 0, shape: shape) : nil)
    }

    /// Records all rows of the page in their order; nil for none.
    package mutating func note(rows: ArraySlice<UInt8>?) {
        page = rows.map { .text($0.hashValue) }
    }

    /// Notes the link of the page that is read next.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if the links have come back to where they were, or if too many
    ///   pages in a row had no rows, or began with the same row, or, where no key is known, had the same rows.
    package mutating func follow(_ link: String) throws {
        guard link != mark else {
            throw ODataError(.invalidResponse, "The service repeats a next link: \(link)")
        }
        try turnPage(link)
        steps += 1
        guard steps == limit else { return }
        mark = link
        steps = 0
        limit *= 2
    }

    private mutating func turnPage(_ link: String) throws {
        switch page {
        case nil: idlePages += 1
        case let page?:
            idlePages = page != .rows(nil) && page == last ? idlePages + 1 : 0
            last = page
        }
        page = nil
        guard idlePages > Self.idleLimit else { return }
        throw ODataError(
            .invalidResponse,
            "The service gives next links without end: \(Self.idleLimit) pages in a row brought nothing new. The next "
                + "one would be \(link)")
    }
}
