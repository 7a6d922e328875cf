import ODataModel

/// How entities are written.
package struct JSONWriterOptions: Sendable {
    /// `odata.metadata` of the media type: [OData-JSON, section 3.1].
    package enum Metadata: Sendable {
        case none
        case minimal
        case full
    }

    /// How a delta payload reports that an entity is gone.
    package enum Removal: Sendable {
        /// `{"@odata.context":"#Products/$deletedEntity","id":"Products(1)","reason":"deleted"}`: version 4.0
        case deletedEntity
        /// `{"@removed":{"reason":"deleted"},"@id":"Products(1)"}`: version 4.01
        case removed
    }

    /// `omit-values` of `Prefer`: [OData-Protocol, section 8.2.8.6].
    package enum Omission: Sendable {
        case nulls
        /// Values that are the property's default, and nulls where it has none.
        case defaults
    }

    /// With a trailing slash. Given, relative ids and links in rows become absolute.
    package var serviceRoot: String?
    /// `http://host/$metadata#Products`; nil leaves `@odata.context` out.
    package var contextURL: String?
    package var metadata = Metadata.minimal
    /// Whether Int64 and Decimal are strings.
    package var ieee754Compatible = false
    /// Whether decimals far from one may be written as `1E+100`.
    package var exponentialDecimals = false
    /// Whether control information is named as 4.01 has it, `@count`, and not `@odata.count`.
    package var usesShortNames = false
    package var isDelta = false
    package var removal = Removal.removed
    /// Values that are left out; in delta payloads none is.
    package var omission: Omission?
    /// Whether `@odata.id` is written with minimal metadata too.
    package var writesIDs = true
    /// Whether ids and links are written absolute, where ``serviceRoot`` is known.
    package var writesAbsoluteLinks = false
    /// Whether entities can be changed and have an edit link; else full metadata gives them a read link.
    package var isEditable = true

    package init() {}

    /// What the layout of entities depends on.
    package struct Form: Hashable, Sendable {
        fileprivate var metadata: Metadata
        fileprivate var omission: Omission?
        fileprivate var isIEEE754Compatible: Bool
        fileprivate var isExponential: Bool
        fileprivate var isShort: Bool
    }

    package var form: Form {
        Form(
            metadata: metadata, omission: isDelta ? nil : omission, isIEEE754Compatible: ieee754Compatible,
            isExponential: exponentialDecimals, isShort: usesShortNames)
    }

    /// How values are written.
    package var style: JSONStyle {
        var style = JSONStyle()
        style.ieee754Compatible = ieee754Compatible
        style.exponentialDecimals = exponentialDecimals
        style.isShort = usesShortNames
        style.types =
            switch metadata {
            case .none: .none
            case .minimal: .needed
            case .full: .all
            }
        return style
    }
}
