/// One overload of an action or a function.
///
/// [OData-CSDLXML, section 12: Action and Function]
public struct EdmOperationDeclaration: Hashable, Sendable, EdmAnnotated {
    /// Whether calls may change something.
    public enum Kind: Hashable, Sendable {
        /// Is called with POST and may change data; gives a result or none. [OData-CSDLXML, section 12.1: Action]
        case action
        /// Is called with GET, changes nothing that can be seen, and gives a result.
        /// [OData-CSDLXML, section 12.3: Function]
        case function
    }

    /// [OData-CSDLXML, section 12.9: Parameter]
    public struct Parameter: Hashable, Sendable, EdmAnnotated {
        /// The name that calls give the argument: `Top(count=5)`.
        public var name: String
        /// The type of the argument; of a type definition what it stands for: see ``namedType``.
        public var type: EdmTypeReference
        /// See ``EdmProperty/namedType``.
        public var namedType: EdmQualifiedName?
        /// Whether null is a value; of a collection, whether its members may be null. True by default.
        public var isNullable: Bool
        /// See ``EdmFacets/maxLength``.
        public var maxLength: Int?
        /// See ``EdmFacets/precision``.
        public var precision: Int?
        /// See ``EdmFacets/scale``.
        public var scale: EdmProperty.Scale?
        /// See ``EdmFacets/isUnicode``.
        public var isUnicode: Bool?
        /// See ``EdmFacets/srid``.
        public var srid: String?
        public var annotations: [EdmAnnotation]

        /// A parameter. The other facets and ``namedType`` are set afterwards.
        public init(
            name: String, type: EdmTypeReference, isNullable: Bool = true, maxLength: Int? = nil, precision: Int? = nil,
            scale: EdmProperty.Scale? = nil, annotations: [EdmAnnotation] = []
        ) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.maxLength = maxLength
            self.precision = precision
            self.scale = scale
            self.annotations = annotations
        }

        /// Whether a call may leave the parameter out.
        public var isOptional: Bool { isTagged(EdmAnnotation.optionalParameter) }
    }

    /// [OData-CSDLXML, section 12.8: Return Type]
    public struct Result: Hashable, Sendable, EdmAnnotated {
        /// The type of what a call gives; of a type definition what it stands for: see ``namedType``.
        public var type: EdmTypeReference
        /// See ``EdmProperty/namedType``.
        public var namedType: EdmQualifiedName?
        /// Whether the result may be null; of a collection, whether its members may be. True by default.
        public var isNullable: Bool
        /// What limits the result, where it is of a primitive type.
        public var facets: EdmFacets
        public var annotations: [EdmAnnotation]

        /// A result. ``namedType`` is set afterwards.
        public init(
            type: EdmTypeReference, isNullable: Bool = true, facets: EdmFacets = EdmFacets(),
            annotations: [EdmAnnotation] = []
        ) {
            self.type = type
            self.isNullable = isNullable
            self.facets = facets
            self.annotations = annotations
        }
    }

    /// Whether it is an action or a function.
    public var kind: Kind
    /// The full name. Calls of a bound operation have it in the URL, those of an unbound one the name of its import.
    public var name: EdmQualifiedName
    /// Whether the first parameter is the resource that the operation is called on.
    public var isBound: Bool
    /// Whether further path segments may follow a call of this function.
    public var isComposable: Bool
    /// A path that starts with the binding parameter's name and reports the set of the returned entities.
    public var entitySetPath: String?
    /// The binding parameter, if there is one, is first.
    public var parameters: [Parameter]
    /// What a call gives; nil for actions that give nothing.
    public var result: Result?
    public var annotations: [EdmAnnotation]

    /// An overload, by default one that is not bound.
    public init(
        kind: Kind, name: EdmQualifiedName, isBound: Bool = false, isComposable: Bool = false,
        entitySetPath: String? = nil, parameters: [Parameter] = [], result: Result? = nil,
        annotations: [EdmAnnotation] = []
    ) {
        self.kind = kind
        self.name = name
        self.isBound = isBound
        self.isComposable = isComposable
        self.entitySetPath = entitySetPath
        self.parameters = parameters
        self.result = result
        self.annotations = annotations
    }

    /// The type that the operation is called on; nil if it is not bound.
    public var bindingType: EdmTypeReference? { isBound ? parameters.first?.type : nil }

    /// The parameters without the binding parameter.
    public var arguments: ArraySlice<Parameter> { parameters.dropFirst(isBound ? 1 : 0) }
}

/// An action import or function import of the entity container.
///
/// [OData-CSDLXML, sections 13.5 and 13.6]
public struct EdmOperationImport: Hashable, Sendable, EdmAnnotated {
    /// Whether an action or a function is imported.
    public var kind: EdmOperationDeclaration.Kind
    /// The segment of URLs that calls the operation, without a namespace: `Top`.
    public var name: String
    /// The name of the unbound operation.
    public var operation: EdmQualifiedName
    /// The name of the entity set of the returned entities.
    public var entitySet: String?
    /// Whether the service document lists the import, which it does with functions only. False by default.
    public var isInServiceDocument: Bool
    /// V2 function imports: the HTTP method they are called with, `GET` or `POST`; nil for V4.
    public var httpMethod: String?
    public var annotations: [EdmAnnotation]

    /// An import of the operation with the full name `operation`.
    public init(
        kind: EdmOperationDeclaration.Kind, name: String, operation: EdmQualifiedName, entitySet: String? = nil,
        isInServiceDocument: Bool = false, httpMethod: String? = nil, annotations: [EdmAnnotation] = []
    ) {
        self.kind = kind
        self.name = name
        self.operation = operation
        self.entitySet = entitySet
        self.isInServiceDocument = isInServiceDocument
        self.httpMethod = httpMethod
        self.annotations = annotations
    }
}
