/// How entities are written in Atom and verbose JSON.
package struct V2WriterOptions: Sendable {
    package enum Version: Int, Sendable, Comparable {
        /// Collections of entities in JSON are arrays in `d` itself.
        case one = 1
        case two = 2
        /// Stream properties have links, dates in JSON are text.
        case three = 3

        package static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// With a trailing slash: `http://host/root/`.
    package var serviceRoot: String
    package var version = Version.two
    /// Of a feed; the name of the entity set if there is none.
    package var title: String?
    /// The feed's own address, relative to the service root: `Categories(1)/Products`; the name of the entity set if
    /// there is none.
    package var path: String?
    /// The time that Atom wants of feeds and entries.
    package var updated = "1970-01-01T00:00:00Z"

    package init(serviceRoot: String) {
        self.serviceRoot = serviceRoot
    }
}
