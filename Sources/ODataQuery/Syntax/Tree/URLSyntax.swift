/// A whole URL as written.
package struct URLSyntax: Equatable {
    package enum Resource: Equatable {
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
    package var serviceRoot: String?
    package var resource: Resource
    package var options: OptionsSyntax

    package init(serviceRoot: String? = nil, resource: Resource, options: OptionsSyntax) {
        self.serviceRoot = serviceRoot
        self.resource = resource
        self.options = options
    }
}

/// The fragment of a context URL: `#Customers(Name,Orders())/$entity`
///
/// [OData-ABNF, section 3]
package struct ContextSyntax: Equatable {
    /// `Customers('ALFKI')/Orders`, `Model.Order`, `Collection($ref)`, `$ref`: segments before the list.
    package var path: [SegmentSyntax]
    /// `Collection(…)` around a type name, `$ref` or `Edm.EntityType`
    package var isCollection: Bool
    /// `(Name,Orders(ID))`
    package var select: [ContextSelectSyntax]?
    /// `$entity`, `$delta`, `$deletedEntity`, `$link`, `$deletedLink`
    package var suffix: NameSyntax?

    package init(
        path: [SegmentSyntax], isCollection: Bool, select: [ContextSelectSyntax]? = nil, suffix: NameSyntax? = nil
    ) {
        self.path = path
        self.isCollection = isCollection
        self.select = select
        self.suffix = suffix
    }
}

/// One part of the list in a context URL: `*`, `Model.*`, `Address/Street`, `Orders+(ID)`, `Model.Top(count)`
package struct ContextSelectSyntax: Equatable {
    package var path: [NameSyntax]
    package var isRecursive: Bool
    package var select: [ContextSelectSyntax]?

    package init(path: [NameSyntax], isRecursive: Bool, select: [ContextSelectSyntax]? = nil) {
        self.path = path
        self.isRecursive = isRecursive
        self.select = select
    }
}
