import ODataModel

/// The names of types as documents have them.
enum CSDLTypeName {
    /// `Collection(Model.Color)`; `name` stands for the type it was declared with.
    static func text(_ type: EdmTypeReference, name: EdmQualifiedName?) -> String {
        guard let name else { return type.description }
        return type.isCollection ? "Collection(\(name))" : name.description
    }

    /// The name without `Collection(…)`.
    static func element(_ type: EdmTypeReference, name: EdmQualifiedName?) -> String {
        name?.description ?? type.element.description
    }
}

extension EdmProperty.Scale {
    /// `2`, `variable`, `floating`
    init?(csdl text: String) {
        switch text {
        case "variable", "Variable": self = .variable
        case "floating", "Floating": self = .floating
        default:
            guard let digits = Int(text), digits >= 0 else { return nil }
            self = .fixed(digits)
        }
    }

    var csdl: String {
        switch self {
        case .fixed(let digits): "\(digits)"
        case .variable: "variable"
        case .floating: "floating"
        }
    }
}
