import ODataModel

/// What an element of CSDL may have.
private struct ElementForm {
    var attributes: Set<String> = []
    /// Nil where the readers of the element report of others themselves.
    var children: Set<String>?
    var isAnnotated = true

    init(_ attributes: Set<String> = [], children: Set<String>? = nil, isAnnotated: Bool = true) {
        (self.attributes, self.children, self.isAnnotated) = (attributes, children, isAnnotated)
    }

    private static let facets: Set<String> = ["MaxLength", "Precision", "Scale", "Unicode", "SRID"]
    private static let typed = facets.union(["Name", "Type", "Nullable"])

    /// [OData-CSDLXML, sections 5 to 14; IncludeInServiceDocument of actions is read where it is declared]
    static let all: [String: ElementForm] = [
        "Reference": ElementForm(["Uri", "Url"]),
        "Include": ElementForm(["Namespace", "Alias"], children: []),
        "IncludeAnnotations": ElementForm(
            ["TermNamespace", "TargetNamespace", "Qualifier"], children: [], isAnnotated: false),
        "Schema": ElementForm(["Namespace", "Alias"]),
        "EntityType": ElementForm(["Name", "BaseType", "Abstract", "OpenType", "HasStream"]),
        "ComplexType": ElementForm(["Name", "BaseType", "Abstract", "OpenType"]),
        "Key": ElementForm(children: ["PropertyRef"], isAnnotated: false),
        "PropertyRef": ElementForm(["Name", "Alias"], children: [], isAnnotated: false),
        "Property": ElementForm(typed.union(["DefaultValue", "ConcurrencyMode"])),
        "NavigationProperty": ElementForm(["Name", "Type", "Nullable", "Partner", "ContainsTarget"]),
        "ReferentialConstraint": ElementForm(["Property", "ReferencedProperty"], children: []),
        "OnDelete": ElementForm(["Action"], children: []),
        "EnumType": ElementForm(["Name", "UnderlyingType", "IsFlags"]),
        "Member": ElementForm(["Name", "Value"], children: []),
        "TypeDefinition": ElementForm(facets.union(["Name", "UnderlyingType"]), children: []),
        "Term": ElementForm(typed.union(["BaseTerm", "DefaultValue", "AppliesTo"]), children: []),
        "Action": ElementForm(["Name", "IsBound", "EntitySetPath", "IsComposable"]),
        "Function": ElementForm(["Name", "IsBound", "EntitySetPath", "IsComposable"]),
        "Parameter": ElementForm(typed, children: []),
        "ReturnType": ElementForm(facets.union(["Type", "Nullable"]), children: []),
        "EntityContainer": ElementForm(["Name", "Extends"]),
        "EntitySet": ElementForm(["Name", "EntityType", "IncludeInServiceDocument"]),
        "Singleton": ElementForm(["Name", "Type", "Nullable", "IncludeInServiceDocument"]),
        "NavigationPropertyBinding": ElementForm(["Path", "Target"], children: [], isAnnotated: false),
        "ActionImport": ElementForm(["Name", "Action", "EntitySet", "IncludeInServiceDocument"], children: []),
        "FunctionImport": ElementForm(["Name", "Function", "EntitySet", "IncludeInServiceDocument"], children: []),
        "Annotations": ElementForm(
            ["Target", "Qualifier"], children: ["Annotation", "ValueAnnotation", "TypeAnnotation"]),
    ]

    static let flags: Set<String> = [
        "Nullable", "Abstract", "OpenType", "HasStream", "ContainsTarget", "IsFlags", "IsBound", "IsComposable",
        "IncludeInServiceDocument", "Unicode",
    ]
}

extension CSDLReader {
    /// Reports what a document of V4 has around its schemas that the model has no place for.
    mutating func checkWrapper(_ root: XMLTree) {
        guard root.name != "Schema" else { return }
        for child in root.children where child.isCSDL && child.name != "Schema" {
            switch (root.name, child.name) {
            case ("Edmx", "DataServices"): checkWrapper(child)
            case ("Edmx", "Reference"):
                if child["Uri"] == nil, child["Url"] == nil { note("Reference has no Uri.", at: child) }
                checkForm(child)
            case _ where child.descendants(named: "Schema", depth: 2).isEmpty: unexpected(child, in: root.name)
            default: break
            }
        }
    }

    /// Reports what a document of V4 has in and below `element` that the model has no place for. Values of annotations
    /// and elements of other namespaces are looked at elsewhere or not at all.
    mutating func checkForm(_ element: XMLTree) {
        guard element.isCSDL, let form = ElementForm.all[element.name] else { return }
        for attribute in element.attributes { check(attribute, of: element, form) }
        checkText(of: element)
        for child in element.children where child.isCSDL {
            if child.isAnnotation, !form.isAnnotated {
                note("\(element.name) cannot be annotated.", at: child)
            } else if !child.isAnnotation, let known = form.children, !known.contains(child.name) {
                unexpected(child, in: element.name)
            } else {
                checkForm(child)
            }
        }
    }

    /// Reports text in an element that has none.
    mutating func checkText(of element: XMLTree) {
        guard !element.text.isEmpty, element.text.utf8.contains(where: { $0 > 0x20 }) else { return }
        note("\(element.name) has text, which means nothing.", at: element)
    }

    private mutating func check(_ attribute: XMLTree.Attribute, of element: XMLTree, _ form: ElementForm) {
        guard form.attributes.contains(attribute.name) else {
            return note("The attribute \(attribute.name) is not known in \(element.name).", at: element)
        }
        let isValue =
            switch attribute.name {
            case _ where ElementForm.flags.contains(attribute.name): element.flag(attribute.name) != nil
            case "Scale": EdmProperty.Scale(csdl: attribute.value) != nil
            case "UnderlyingType" where element.name == "EnumType":
                EdmPrimitiveType(rawValue: EdmQualifiedName(attribute.value).name)?.isNumeric == true
            default: true
            }
        if !isValue { note("\(attribute.value) is not a value for \(attribute.name).", at: element) }
    }
}
