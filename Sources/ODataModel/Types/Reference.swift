/// Another document that a metadata document refers to.
///
/// [OData-CSDLXML, section 4.1: Reference]
public struct Reference: Hashable, Sendable, Annotated {
    /// A schema of the other document that this one may use.
    public struct Include: Hashable, Sendable, Annotated {
        public var namespace: String
        public var alias: String?
        public var annotations: [Annotation]

        public init(namespace: String, alias: String? = nil, annotations: [Annotation] = []) {
            self.namespace = namespace
            self.alias = alias
            self.annotations = annotations
        }
    }

    /// Annotations of the other document that hold for this one.
    public struct IncludedAnnotations: Hashable, Sendable {
        public var termNamespace: String
        public var targetNamespace: String?
        public var qualifier: String?

        public init(termNamespace: String, targetNamespace: String? = nil, qualifier: String? = nil) {
            self.termNamespace = termNamespace
            self.targetNamespace = targetNamespace
            self.qualifier = qualifier
        }
    }

    public var url: String
    public var includes: [Include]
    public var includedAnnotations: [IncludedAnnotations]
    public var annotations: [Annotation]

    public init(
        url: String, includes: [Include] = [], includedAnnotations: [IncludedAnnotations] = [],
        annotations: [Annotation] = []
    ) {
        self.url = url
        self.includes = includes
        self.includedAnnotations = includedAnnotations
        self.annotations = annotations
    }
}

/// Annotations of something that lies outside the document or below what it declares.
///
/// `<Annotations Target="Other.Product/Name">`; what targets an element of the document itself stands there.
/// [OData-CSDLXML, section 14.2: Annotation]
public struct TargetedAnnotations: Hashable, Sendable, Annotated {
    /// A path with full names: `Other.Container/Products`.
    public var target: String
    public var annotations: [Annotation]

    public init(target: String, annotations: [Annotation]) {
        self.target = target
        self.annotations = annotations
    }
}
