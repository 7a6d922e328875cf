/// What documents of V1–V3 say in attributes of their own is kept in annotations, so that it survives being written
/// as V4.
extension EdmAnnotation {
    /// The term that keeps an attribute of the data service namespace: `m:FC_TargetPath` as `m.FC_TargetPath`.
    public static func dataServices(_ attribute: String) -> String { "m.\(attribute)" }

    /// The term that keeps an attribute of SAP's: `sap:label` as `sap.label`.
    public static func sap(_ attribute: String) -> String { "sap.\(attribute)" }

    /// The type that V2 knows the property or parameter by, where V4 has another: `Edm.DateTime`, `Edm.Time`.
    ///
    /// `Edm.DateTime` is read as `Edm.DateTimeOffset` and `Edm.Time` as `Edm.TimeOfDay`.
    public static let legacyType = "m.Type"
    /// The HTTP method that a V2 function import is called with.
    public static let httpMethod = "m.HttpMethod"
    /// The properties whose values the ETags of a set are made of.
    public static let optimisticConcurrency = "Org.OData.Core.V1.OptimisticConcurrency"
    /// A longer description.
    public static let longDescription = "Org.OData.Core.V1.LongDescription"
}

extension EdmProperty {
    /// `Edm.DateTime` or `Edm.Time` for a property of a V2 service that has this type there; else nil.
    public var legacyType: String? { annotation(EdmAnnotation.legacyType)?.string }
}

extension EdmOperationDeclaration.Parameter {
    /// `Edm.DateTime` or `Edm.Time` for a parameter of a V2 service that has this type there; else nil.
    public var legacyType: String? { annotation(EdmAnnotation.legacyType)?.string }
}
