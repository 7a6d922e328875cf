/// What limits the values of a primitive type. Facets that are not given are nil and limit nothing.
///
/// [OData-CSDLXML, section 7.2: Type Facets]
public struct EdmFacets: Hashable, Sendable {
    /// In characters for strings, in bytes for binary and streams.
    public var maxLength: Int?
    /// Significant digits of a decimal; digits of fractional seconds of a temporal value.
    public var precision: Int?
    /// Digits after the point of a decimal. Where it is nil there are none with a precision, and any number without.
    /// [OData-CSDLXML, section 7.2.4: Scale]
    public var scale: EdmProperty.Scale?
    /// False where strings hold ASCII characters only.
    public var isUnicode: Bool?
    /// The spatial reference system of geography and geometry values: a number or `variable`.
    public var srid: String?

    /// Facets; without arguments nothing is limited.
    public init(
        maxLength: Int? = nil, precision: Int? = nil, scale: EdmProperty.Scale? = nil, isUnicode: Bool? = nil,
        srid: String? = nil
    ) {
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.isUnicode = isUnicode
        self.srid = srid
    }

    /// These facets; where one is not given, that of `other`.
    public func completed(by other: EdmFacets) -> EdmFacets {
        EdmFacets(
            maxLength: maxLength ?? other.maxLength, precision: precision ?? other.precision,
            scale: scale ?? other.scale, isUnicode: isUnicode ?? other.isUnicode, srid: srid ?? other.srid)
    }

    /// These facets without those that `other` has the same.
    public func without(_ other: EdmFacets) -> EdmFacets {
        EdmFacets(
            maxLength: maxLength == other.maxLength ? nil : maxLength,
            precision: precision == other.precision ? nil : precision, scale: scale == other.scale ? nil : scale,
            isUnicode: isUnicode == other.isUnicode ? nil : isUnicode, srid: srid == other.srid ? nil : srid)
    }
}

extension EdmProperty {
    /// The facets of the property's values.
    public var facets: EdmFacets {
        get {
            EdmFacets(maxLength: maxLength, precision: precision, scale: scale, isUnicode: isUnicode, srid: srid)
        }
        set {
            (maxLength, precision, scale) = (newValue.maxLength, newValue.precision, newValue.scale)
            (isUnicode, srid) = (newValue.isUnicode, newValue.srid)
        }
    }
}

extension EdmOperationDeclaration.Parameter {
    /// The facets of the parameter's values.
    public var facets: EdmFacets {
        get {
            EdmFacets(maxLength: maxLength, precision: precision, scale: scale, isUnicode: isUnicode, srid: srid)
        }
        set {
            (maxLength, precision, scale) = (newValue.maxLength, newValue.precision, newValue.scale)
            (isUnicode, srid) = (newValue.isUnicode, newValue.srid)
        }
    }
}
