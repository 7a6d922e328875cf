import ODataModel

extension CSDLReader {
    /// The attributes that V1–V3 services put on elements, kept as they are and, where V4 has a term, as that too.
    /// - Returns: Each term once.
    func legacyAnnotations(of element: XMLTree) -> [EdmAnnotation] {
        var annotations: [EdmAnnotation] = []
        annotations.reserveCapacity(element.qualified.count + 2)
        var sap: [XMLTree.Attribute] = []
        var isComputed = false
        for attribute in element.qualified {
            switch attribute.namespace {
            case XMLTree.sap:
                annotations.append(
                    EdmAnnotation(term: EdmAnnotation.sap(attribute.name), value: .string(attribute.value)))
                sap.append(attribute)
            case XMLTree.metadata where attribute.name != "HasStream" && element.name != "DataServices":
                annotations.append(
                    EdmAnnotation(term: EdmAnnotation.dataServices(attribute.name), value: .string(attribute.value)))
                if attribute.name == "MimeType" {
                    annotations.append(EdmAnnotation(term: EdmAnnotation.mediaType, value: .string(attribute.value)))
                }
            case XMLTree.entityFramework where attribute.name == "StoreGeneratedPattern":
                isComputed = attribute.value == "Identity" || attribute.value == "Computed"
            default: break
            }
        }
        // Some services of V4 still write it.
        if element["ConcurrencyMode"] == "Fixed" {
            annotations.append(
                EdmAnnotation(term: EdmAnnotation.dataServices("ConcurrencyMode"), value: .string("Fixed")))
        }
        if version.isLegacy {
            if !sap.isEmpty { annotations += SAPTerms(of: element.name, sap).annotations }
        }
        if isComputed { annotations.add([EdmAnnotation(term: EdmAnnotation.computed)]) }
        return annotations
    }
}

/// The V4 terms for attributes of SAP's.
///
/// [SAP Annotations for OData Version 2.0; SAP vocabularies]
struct SAPTerms {
    private let element: String
    private let attributes: [XMLTree.Attribute]

    /// - Parameters:
    ///   - element: The name of the element.
    ///   - attributes: Those of SAP's namespace.
    init(of element: String, _ attributes: [XMLTree.Attribute]) {
        self.element = element
        self.attributes = attributes
    }

    private static let common = "com.sap.vocabularies.Common.V1."

    private subscript(name: String) -> String? {
        for index in attributes.indices where attributes[index].name == name { return attributes[index].value }
        return nil
    }

    private func isFalse(_ name: String) -> Bool { self[name] == "false" }

    var annotations: [EdmAnnotation] {
        var annotations: [EdmAnnotation] = []
        func annotate(_ term: String, _ value: EdmAnnotation.Value?) {
            if let value { annotations.append(EdmAnnotation(term: term, value: value)) }
        }
        annotate(Self.common + "Label", self["label"].map { .string($0) })
        annotate(Self.common + "QuickInfo", self["quickinfo"].map { .string($0) })
        annotate(Self.common + "Heading", self["heading"].map { .string($0) })
        switch element {
        case "Property", "Parameter": annotations += propertyTerms
        case "EntitySet": annotations += setTerms
        case "FunctionImport":
            annotate("Org.OData.Core.V1.OperationAvailable", self["applicable-path"].map { .path(.value, $0) })
        case "Schema": annotate("Org.OData.Core.V1.SchemaVersion", self["schema-version"].map { .string($0) })
        default: break
        }
        return annotations
    }

    private var propertyTerms: [EdmAnnotation] {
        var annotations: [EdmAnnotation] = []
        func annotate(_ term: String, _ value: EdmAnnotation.Value? = .bool(true)) {
            if let value { annotations.append(EdmAnnotation(term: term, value: value)) }
        }
        if isFalse("updatable") { annotate(isFalse("creatable") ? EdmAnnotation.computed : EdmAnnotation.immutable) }
        annotate(Self.common + "Text", self["text"].map { .path(.value, $0) })
        annotate(Self.common + "FieldControl", self["field-control"].map { .path(.value, $0) })
        annotate("Org.OData.Validation.V1.Pattern", self["validation-regexp"].map { .string($0) })
        if isFalse("visible") { annotate("com.sap.vocabularies.UI.V1.Hidden") }
        switch self["display-format"] {
        case "UpperCase": annotate(Self.common + "IsUpperCase")
        case "NonNegative": annotate(Self.common + "IsDigitSequence")
        default: break
        }
        switch self["aggregation-role"] {
        case "dimension": annotate("com.sap.vocabularies.Analytics.V1.Dimension")
        case "measure": annotate("com.sap.vocabularies.Analytics.V1.Measure")
        default: break
        }
        if let semantics = self["semantics"], let term = Self.semantics[semantics] { annotate(term) }
        return annotations
    }

    private static let semantics: [String: String] = [
        "currency-code": common + "IsCurrency", "unit-of-measure": common + "IsUnit",
        "email": "com.sap.vocabularies.Communication.V1.IsEmailAddress",
        "tel": "com.sap.vocabularies.Communication.V1.IsPhoneNumber", "url": "Org.OData.Core.V1.IsURL",
        "year": common + "IsCalendarYear", "yearmonth": common + "IsCalendarYearMonth",
        "yearmonthday": common + "IsCalendarDate", "fiscalyear": common + "IsFiscalYear",
        "fiscalyearperiod": common + "IsFiscalYearPeriod",
    ]

    private var setTerms: [EdmAnnotation] {
        var annotations: [EdmAnnotation] = []
        func restrict(_ attribute: String, _ term: String, _ member: String) {
            if let path = self["\(attribute)-path"] {
                annotations.append(EdmAnnotation(term: term, value: .record([member: .path(.value, path)])))
            } else if isFalse(attribute) {
                annotations.append(EdmAnnotation(term: term, value: .record([member: .bool(false)])))
            }
        }
        restrict("creatable", EdmAnnotation.insertable, "Insertable")
        restrict("updatable", EdmAnnotation.updatable, "Updatable")
        restrict("deletable", EdmAnnotation.deletable, "Deletable")
        restrict("countable", EdmAnnotation.countRestrictions, "Countable")
        if let searchable = self["searchable"] {
            let value: EdmAnnotation.Record = ["Searchable": .bool(searchable == "true")]
            annotations.append(EdmAnnotation(term: Self.capability("SearchRestrictions"), value: .record(value)))
        }
        if isFalse("pageable") {
            for term in ["SkipSupported", "TopSupported"] {
                annotations.append(EdmAnnotation(term: Self.capability(term), value: .bool(false)))
            }
        } else if isFalse("topable") {
            annotations.append(EdmAnnotation(term: Self.capability("TopSupported"), value: .bool(false)))
        }
        if self["change-tracking"] == "true" {
            annotations.append(
                EdmAnnotation(term: EdmAnnotation.changeTracking, value: .record(["Supported": .bool(true)])))
        }
        return annotations
    }

    static func capability(_ term: String) -> String { "Org.OData.Capabilities.V1.\(term)" }
}
