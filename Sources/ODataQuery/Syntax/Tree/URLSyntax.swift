/// A whole URL as written.
struct URLSyntax: Equatable {
    enum Resource: Equatable {
        /// The service root itself.
        case serviceDocument
        /// `$batch`
        case batch
        /// `$metadata`, with the fragment of a context URL
        case metadata(ContextSyntax?)
        /// `$entity?$id=Products(1)`, `$entity/Model.Special?$id=…`
        case entity(cast: NameSyntax?)
        /// `Products(1)/Category`
        case path([SegmentSyntax])
    }

    /// `http://host/service/`, as written; nil for relative URLs.
    var serviceRoot: String?
    var resource: Resource
    var options: OptionsSyntax
}

/// The fragment of a context URL: `#Customers(Name,Orders())/$entity`
///
/// [OData-ABNF, section 3]
struct ContextSyntax: Equatable {
    /// `Customers('ALFKI')/Orders`, `Model.Order`, `Collection($ref)`, `$ref`: segments before the list.
    var path: [SegmentSyntax]
    /// `Collection(…)` around a type name, `$ref` or `Edm.EntityType`
    var isCollection: Bool
    /// `(Name,Orders(ID))`
    var select: [ContextSelectSyntax]?
    /// `$entity`, `$delta`, `$deletedEntity`, `$link`, `$deletedLink`
    var suffix: NameSyntax?
}

/// One part of the list in a context URL: `*`, `Model.*`, `Address/Street`, `Orders+(ID)`, `Model.Top(count)`
struct ContextSelectSyntax: Equatable {
    var path: [NameSyntax]
    var isRecursive: Bool
    var select: [ContextSelectSyntax]?
}
