import OData

/// How the types of a model are called where a person reads: without the namespace where one type only has the name,
/// `Person[]`, `String(40)?`, `Decimal(19,4)`.
struct ModelNames {
    /// Names that are written with their namespace.
    private let ambiguous: Set<String>

    init(_ model: EdmModel) {
        let names = Set(model.schemas.flatMap(\.declaredTypeNames))
        let counts = Dictionary(names.map { ($0.name, 1) }, uniquingKeysWith: +)
        ambiguous = Set(counts.keys.filter { counts[$0] != 1 || EdmPrimitiveType(rawValue: $0) != nil })
    }

    func name(_ name: EdmQualifiedName) -> String { ambiguous.contains(name.name) ? name.description : name.name }

    /// The type of a value.
    ///
    /// - Parameters:
    ///   - name: What stands for the type in the declaration, where that is something else.
    ///   - isNullable: Of a collection, whether its members may be null, which is not shown.
    func text(_ type: EdmTypeReference, _ name: EdmQualifiedName?, _ facets: EdmFacets, isNullable: Bool) -> String {
        let element = (name.map(self.name) ?? self.name(of: type.element)) + Self.text(facets, of: type.element)
        return element + (type.isCollection ? "[]" : isNullable ? "?" : "")
    }

    func text(_ property: EdmProperty, hasFacets: Bool = true) -> String {
        let facets = hasFacets ? property.facets : EdmFacets()
        return text(property.type, property.namedType, facets, isNullable: property.isNullable)
    }

    func text(_ parameter: EdmOperationDeclaration.Parameter) -> String {
        "\(parameter.name): "
            + text(parameter.type, parameter.namedType, parameter.facets, isNullable: parameter.isNullable)
    }

    func text(_ result: EdmOperationDeclaration.Result) -> String {
        text(result.type, result.namedType, result.facets, isNullable: result.isNullable)
    }

    /// `Item[]`, `Customer 0..1`, `Customer 1`
    func text(_ navigation: EdmNavigationProperty) -> String {
        let target = name(navigation.target)
        return navigation.isCollection ? "\(target)[]" : "\(target) \(navigation.isNullable ? "0..1" : "1")"
    }

    /// `Approve(comment: String?) → Boolean`, without what the operation is bound to.
    func text(_ operation: EdmOperationDeclaration, as name: String? = nil) -> String {
        let arguments = operation.arguments.map(text).joined(separator: ", ")
        return "\(name ?? operation.name.name)(\(arguments))" + (operation.result.map { " → \(text($0))" } ?? "")
    }

    private func name(of type: EdmTypeReference) -> String {
        switch type {
        case .primitive(let type): type.rawValue
        case .enumeration(let name), .complex(let name), .entity(let name): self.name(name)
        case .collection(let element): self.name(of: element)
        }
    }

    private static func text(_ facets: EdmFacets, of type: EdmTypeReference) -> String {
        if type == .decimal, let precision = facets.precision {
            return "(\(precision)\(facets.scale.map { ",\(text($0))" } ?? ""))"
        }
        return [facets.maxLength, facets.precision].compactMap { $0 }.first.map { "(\($0))" } ?? ""
    }

    private static func text(_ scale: EdmProperty.Scale) -> String {
        switch scale {
        case .fixed(let digits): "\(digits)"
        case .variable: "variable"
        case .floating: "floating"
        }
    }
}

extension EdmAnnotated {
    /// The label or the description of the element, if the metadata have one. [OData-VocCore, Description]
    var label: String? {
        let terms =
            [EdmAnnotation.coreDescription, EdmAnnotation.sap("label")]
            + ["V1", "v1"].map { "com.sap.vocabularies.Common.\($0).Label" }
        return terms.lazy.compactMap { self.annotation($0)?.string }.first { !$0.isEmpty }
    }
}
