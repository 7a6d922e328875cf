import ODataModel

/// Which annotations the preference `include-annotations` asks for.
///
/// [OData-Protocol, section 8.2.8.4]
struct AnnotationSelection {
    /// `*`, `Core.*`, `Core.Description`; with `-` before it those that are excluded.
    private let items: [Substring]

    init(_ preference: String) {
        items = preference.split { $0 == "," || $0 == " " }
    }

    /// The most specific item decides; of two alike the one that excludes.
    func includes(_ term: EdmQualifiedName) -> Bool {
        for name in ["\(term)", "\(term.namespace).*", "*"] {
            if items.contains("-" + name[...]) { return false }
            if items.contains(name[...]) { return true }
        }
        return false
    }
}
