import ODataModel

/// What an object of CSDL JSON may have besides annotations.
struct CSDLJSONPlace {
    /// `a property`
    private(set) var name: String
    /// Members of the standard.
    private(set) var members: Set<String>
    /// Whether its other members are declarations.
    private(set) var hasChildren = false

    private static let facets: Set<String> = ["$MaxLength", "$Precision", "$Scale", "$Unicode", "$SRID"]
    private static let typed = facets.union(["$Type", "$Collection", "$Nullable"])

    /// [OData-CSDLJSON, sections 4 to 13]
    static let document = CSDLJSONPlace(
        name: "a document", members: ["$Version", "$EntityContainer", "$Reference"], hasChildren: true)
    static let reference = CSDLJSONPlace(name: "a reference", members: ["$Include", "$IncludeAnnotations"])
    static let include = CSDLJSONPlace(name: "an included schema", members: ["$Namespace", "$Alias"])
    static let includedAnnotations = CSDLJSONPlace(
        name: "included annotations", members: ["$TermNamespace", "$TargetNamespace", "$Qualifier"])
    static let schema = CSDLJSONPlace(name: "a schema", members: ["$Alias", "$Annotations"], hasChildren: true)
    static let annotations = CSDLJSONPlace(name: "annotations of a target", members: [])
    static let structuredType = CSDLJSONPlace(
        name: "a type", members: ["$Kind", "$BaseType", "$Abstract", "$OpenType", "$HasStream", "$Key"],
        hasChildren: true)
    static let property = CSDLJSONPlace(name: "a property", members: typed.union(["$Kind", "$DefaultValue"]))
    static let navigationProperty = CSDLJSONPlace(
        name: "a navigation property",
        members: [
            "$Kind", "$Type", "$Collection", "$Nullable", "$Partner", "$ContainsTarget", "$ReferentialConstraint",
            "$OnDelete",
        ])
    static let enumType = CSDLJSONPlace(
        name: "an enumeration", members: ["$Kind", "$UnderlyingType", "$IsFlags"], hasChildren: true)
    static let typeDefinition = CSDLJSONPlace(
        name: "a type definition", members: facets.union(["$Kind", "$UnderlyingType"]))
    static let term = CSDLJSONPlace(
        name: "a term", members: typed.union(["$Kind", "$DefaultValue", "$BaseTerm", "$AppliesTo"]))
    static let operation = CSDLJSONPlace(
        name: "an operation",
        members: ["$Kind", "$IsBound", "$EntitySetPath", "$IsComposable", "$Parameter", "$ReturnType"])
    static let parameter = CSDLJSONPlace(name: "a parameter", members: typed.union(["$Name"]))
    static let returnType = CSDLJSONPlace(name: "a return type", members: typed)
    static let container = CSDLJSONPlace(name: "a container", members: ["$Kind", "$Extends"], hasChildren: true)
    /// Drafts had `$Kind` there.
    static let entitySet = CSDLJSONPlace(
        name: "an entity set",
        members: ["$Kind", "$Type", "$Collection", "$IncludeInServiceDocument", "$NavigationPropertyBinding"])
    static let singleton = CSDLJSONPlace(name: "a singleton", members: entitySet.members.union(["$Nullable"]))
    static let actionImport = CSDLJSONPlace(
        name: "an action import", members: ["$Kind", "$Action", "$EntitySet", "$IncludeInServiceDocument"])
    static let functionImport = CSDLJSONPlace(
        name: "a function import", members: ["$Kind", "$Function", "$EntitySet", "$IncludeInServiceDocument"])
}

extension CSDLJSONReader {
    /// Reports members that are not allowed in `object`. Those that the standard does not define are reported
    /// elsewhere.
    mutating func check(_ object: CSDLJSONObject, as place: CSDLJSONPlace) {
        for member in object.members where !place.members.contains(member.name) {
            if !member.name.hasPrefix("$") {
                if !place.hasChildren { note("\(member.name) is not known in \(place.name).", at: member.offset) }
            } else if isStandard(member.name) {
                note("\(member.name) has no place in \(place.name).", at: member.offset)
            }
        }
    }

    /// The model has no place for annotations of those that a reference includes.
    mutating func checkIncludedAnnotations(_ node: JSONNode) {
        guard let object = CSDLJSONObject(node) else { return }
        check(object, as: .includedAnnotations)
        for annotation in object.annotations().members {
            note("@\(annotation.name) annotates nothing that has a place in a model.", at: annotation.offset)
        }
    }

    /// Reports annotations beside a name that no member has.
    mutating func checkStrays(of object: CSDLJSONObject) {
        for stray in object.strays {
            note("\(stray.name) annotates nothing that has a place in a model.", at: stray.offset)
        }
    }

    /// Reports annotations of terms that are not there, and of types beside values that are not names.
    ///
    /// - Parameter object: Terms and values.
    mutating func checkBesides(_ object: CSDLJSONObject) {
        checkStrays(of: object)
        for annotation in object.annotations().members {
            note("@@\(annotation.name) annotates nothing that has a place in a model.", at: annotation.offset)
        }
        for member in object.members where ["type", "odata.type"].contains(member.name) && member.node.string == nil {
            note("@\(member.name) does not have a value of its kind.", at: member.offset)
        }
    }
}
