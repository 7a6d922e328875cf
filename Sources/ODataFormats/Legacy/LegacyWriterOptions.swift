import ODataModel

/// How entities are written in Atom and verbose JSON.
package struct LegacyWriterOptions: Sendable {
    /// With a trailing slash: `http://host/root/`.
    package var serviceRoot: String
    /// Before 4.0. In V1 collections in JSON are arrays in `d` itself; since V3 stream properties have links and dates in
    /// JSON are text.
    package var version = ODataVersion.v2
    /// Of a feed; the name of the entity set if there is none.
    package var title: String?
    /// The feed's own address, relative to the service root: `Categories(1)/Products`; the name of the entity set if
    /// there is none.
    package var path: String?
    /// The time that Atom requires of feeds and entries.
    package var updated = "1970-01-01T00:00:00Z"

    package init(serviceRoot: String) {
        self.serviceRoot = serviceRoot
    }
}
