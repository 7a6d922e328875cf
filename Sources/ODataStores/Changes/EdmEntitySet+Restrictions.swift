import ODataModel

extension EdmEntitySet {
    /// Whether the metadata say that entities of the set cannot be changed so: by
    /// `Org.OData.Capabilities.V1.InsertRestrictions` with `Insertable` false, and similar terms.
    ///
    /// [OData-VocCap]
    package func rejects(_ access: ChangeAccess) -> Bool {
        let term = access.restriction
        return annotation(term.name)?[term.member] == .bool(false)
    }

    /// Whether the set has SAP's attribute for this access: `sap:creatable="false"`. SAP Gateway's tools write it for
    /// each set for which the developer chose nothing, also if the service accepts the change.
    package func hasSAPRestriction(_ access: ChangeAccess) -> Bool {
        annotation(EdmAnnotation.sap(access.restriction.attribute)) != nil
    }
}

extension ChangeAccess {
    fileprivate var restriction: (name: String, member: String, attribute: String) {
        switch self {
        case .insert: (EdmAnnotation.insertable, "Insertable", "creatable")
        case .update: (EdmAnnotation.updatable, "Updatable", "updatable")
        case .delete: (EdmAnnotation.deletable, "Deletable", "deletable")
        }
    }
}
