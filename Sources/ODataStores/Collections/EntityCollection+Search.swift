import ODataQuery

/// Searches for what a person types, which is made an expression of OData: `AND`, `OR`, `NOT`, parentheses and the like
/// are words as others. Text without letters and digits finds everything.
///
/// The service defines the matches. [OData-URL, section 5.1.8]
extension EntityCollection {
    /// Entities in which these words follow each other: `search(phrase: "blue paint")` is `$search="blue paint"`.
    /// Quotation marks are taken for spaces: no phrase can have one.
    public func search(phrase: String) -> EntityCollection {
        changed { query in SearchText.phrase(phrase).map { query.find($0) } }
    }

    /// Entities in which each of these words is found: `search(words: "chair R&D")` is `$search=chair AND "R&D"`.
    public func search(words: String) -> EntityCollection {
        changed { query in SearchText.words(words).map { query.find($0) } }
    }
}

extension ExpandedCollection {
    /// Only those in which these words follow each other, as ``EntityCollection/search(phrase:)``.
    public func search(phrase: String) -> ExpandedCollection {
        changed { query in SearchText.phrase(phrase).map { query.find($0) } }
    }

    /// Only those in which each of these words is found, as ``EntityCollection/search(words:)``.
    public func search(words: String) -> ExpandedCollection {
        changed { query in SearchText.words(words).map { query.find($0) } }
    }
}
