/// How entities are written.
package struct JSONWriterOptions: Sendable {
    /// `odata.metadata` of the media type: [OData-JSON, section 3.1].
    package enum Metadata: Sendable {
        case none
        case minimal
        case full
    }

    /// How a delta payload tells that an entity is gone.
    package enum Removal: Sendable {
        /// `{"@odata.context":"#Products/$deletedEntity","id":"Products(1)","reason":"deleted"}`: version 4.0
        case deletedEntity
        /// `{"@removed":{"reason":"deleted"},"@id":"Products(1)"}`: version 4.01
        case removed
    }

    /// With a trailing slash. Given, relative ids and links in rows become absolute.
    package var serviceRoot: String?
    /// `http://host/$metadata#Products`; nil leaves `@odata.context` out.
    package var contextURL: String?
    package var metadata = Metadata.minimal
    /// Whether Int64 and Decimal are strings.
    package var ieee754Compatible = false
    package var isDelta = false
    package var removal = Removal.removed
    /// Whether `@odata.id` is written with minimal metadata too.
    package var writesIDs = true
    /// Whether ids and links are written absolute, where ``serviceRoot`` is known.
    package var writesAbsoluteLinks = false

    package init() {}
}
