/// Follows the next links of a read and finds out when they go round in a circle.
///
/// Brent's algorithm: each link is compared with one earlier link, which moves on after 1, 2, 4, … links. A circle is
/// noticed after at most three times the links that lead round it and to it, and one link is kept.
package struct NextLinkTrail: Sendable {
    private var mark: String?
    private var steps = 0
    private var limit = 1

    package init() {}

    /// Notes the link of the page that is read next.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if the links have come back to where they were.
    package mutating func follow(_ link: String) throws {
        guard link != mark else {
            throw ODataError(.invalidResponse, "The service repeats a next link: \(link)")
        }
        steps += 1
        guard steps == limit else { return }
        mark = link
        steps = 0
        limit *= 2
    }
}
