/// Another document that a metadata document refers to.
///
/// [OData-CSDLXML, section 4.1: Reference]
public struct EdmReference: Hashable, Sendable, EdmAnnotated {
    /// A schema of the other document that this one may use.
    public struct Include: Hashable, Sendable, EdmAnnotated {
        /// The namespace of the schema: `Org.OData.Core.V1`.
        public var namespace: String
        /// What this document calls the schema: `Core`; nil if it has no alias. Names in the model have the namespace.
        public var alias: String?
        public var annotations: [EdmAnnotation]

        /// A schema under its namespace and an alias, if it has one.
        public init(namespace: String, alias: String? = nil, annotations: [EdmAnnotation] = []) {
            self.namespace = namespace
            self.alias = alias
            self.annotations = annotations
        }
    }

    /// Annotations of the other document that hold for this one.
    public struct IncludedAnnotations: Hashable, Sendable {
        /// The namespace of the terms whose annotations are meant.
        public var termNamespace: String
        /// The namespace of what they annotate; nil for all.
        public var targetNamespace: String?
        /// The qualifier of the annotations that are meant; nil for all.
        public var qualifier: String?

        /// The annotations with terms of `termNamespace`, on anything and with any qualifier by default.
        public init(termNamespace: String, targetNamespace: String? = nil, qualifier: String? = nil) {
            self.termNamespace = termNamespace
            self.targetNamespace = targetNamespace
            self.qualifier = qualifier
        }
    }

    /// Where the other document is, relative or absolute as written. It is not fetched.
    public var url: String
    /// The schemas of the other document that this one uses.
    public var includes: [Include]
    /// The annotations of the other document that this one asks for. [OData-CSDLXML, section 4.3: Included Annotations]
    public var includedAnnotations: [IncludedAnnotations]
    public var annotations: [EdmAnnotation]

    /// A reference to the document at `url`.
    public init(
        url: String, includes: [Include] = [], includedAnnotations: [IncludedAnnotations] = [],
        annotations: [EdmAnnotation] = []
    ) {
        self.url = url
        self.includes = includes
        self.includedAnnotations = includedAnnotations
        self.annotations = annotations
    }
}

/// Annotations of something that is outside the document or below what it declares.
///
/// `<Annotations Target="Other.Product/Name">`; what targets an element of the document itself is there.
/// [OData-CSDLXML, section 14.2: Annotation]
public struct EdmTargetedAnnotations: Hashable, Sendable, EdmAnnotated {
    /// A path with full names: `Other.Container/Products`.
    public var target: String
    public var annotations: [EdmAnnotation]

    /// Annotations of what `target` names, with a full name in place of an alias.
    public init(target: String, annotations: [EdmAnnotation]) {
        self.target = target
        self.annotations = annotations
    }
}
