import ODataModel

extension CSDLReader {
    /// The constants in attributes of `element`, and the expressions in it.
    ///
    /// - Parameter attributes: Those that the element may have besides.
    mutating func values(of element: XMLTree, besides attributes: Set<String>) -> [EdmAnnotation.Value] {
        var values: [EdmAnnotation.Value] = []
        for attribute in element.attributes where !attributes.contains(attribute.name) {
            if let value = constant(attribute.name, attribute.value, at: element) {
                values.append(value)
            } else {
                note("The attribute \(attribute.name) is not known in \(element.name).", at: element)
            }
        }
        checkText(of: element)
        for child in element.children where !child.isAnnotation { values.append(expression(child)) }
        return values
    }

    private mutating func expression(_ element: XMLTree) -> EdmAnnotation.Value {
        switch element.name {
        case "Collection": return collection(element)
        case "Record": return record(element)
        case "LabeledElementReference": return labeledElementReference(element)
        case "UrlRef" where !element.children.isEmpty: return operation(.urlRef, element)
        case "Null":
            checkParts(of: element, attributes: [], children: false)
            let annotations = annotations(of: element)
            return annotations.isEmpty ? .null : .expression(.init(.null, annotations: annotations))
        case "AssertType": return operation(.cast, element)
        case "IsType": return operation(.isOf, element)
        default: break
        }
        if element.name != "UrlRef", let kind = EdmAnnotation.Expression.Kind(rawValue: element.name) {
            return operation(kind, element)
        }
        if let value = constant(element.name, element.text, at: element) {
            checkParts(of: element, attributes: [], children: false, isText: true, isAnnotated: false)
            return value
        }
        note("The expression \(element.name) is not known.", at: element)
        return .null
    }

    private mutating func collection(_ element: XMLTree) -> EdmAnnotation.Value {
        checkParts(of: element, attributes: [], isAnnotated: false)
        var values: [EdmAnnotation.Value] = []
        for child in element.children where !child.isAnnotation { values.append(expression(child)) }
        return .collection(values)
    }

    /// `<LabeledElementReference>Model.Label</LabeledElementReference>`; V3 had the label in an attribute.
    private mutating func labeledElementReference(_ element: XMLTree) -> EdmAnnotation.Value {
        let attribute = element["Name"]
        checkParts(of: element, attributes: ["Name"], children: false, isText: attribute == nil, isAnnotated: false)
        let name = names.path(attribute ?? element.text.trimmed)
        return checked(.init(.labeledElementReference, name: name), at: element)
    }

    private mutating func operation(_ kind: EdmAnnotation.Expression.Kind, _ element: XMLTree) -> EdmAnnotation.Value {
        var attributes: Set<String> = []
        if let name = kind.nameAttribute { attributes.insert(name) }
        if kind.isTyped { attributes.formUnion(Self.typeAttributes) }
        // Constants may stand in attributes: <Cast Type="Edm.Int32" String="1"/>
        let operands = values(of: element, besides: attributes)
        var expression = EdmAnnotation.Expression(kind, operands, annotations: annotations(of: element))
        if let attribute = kind.nameAttribute, let name = element[attribute] {
            expression.name = kind == .apply ? names.path(name) : name
        }
        if kind.isTyped, let type = element["Type"] {
            if CSDLNames.isNested(type) { note("\(element.name) is of \(CSDLNames.nestedCollection).", at: element) }
            expression.type = names.typeName(type)
            expression.facets = facets(of: element)
        } else if kind.isTyped, facets(of: element) != EdmFacets() {
            note("\(element.name) has facets without a type, which are left out.", at: element)
        }
        return checked(expression, at: element)
    }

    private static let typeAttributes: Set<String> = ["Type", "MaxLength", "Precision", "Scale", "Unicode", "SRID"]

    private mutating func checked(_ expression: EdmAnnotation.Expression, at element: XMLTree) -> EdmAnnotation.Value {
        for problem in expression.problems { note(problem, at: element) }
        return expression.simplified(names)
    }

    /// Reports what an expression has that the model has no place for.
    mutating func checkParts(
        of element: XMLTree, attributes: Set<String>, children: Bool = true, isText: Bool = false,
        isAnnotated: Bool = true
    ) {
        for attribute in element.attributes where !attributes.contains(attribute.name) {
            note("The attribute \(attribute.name) is not known in \(element.name).", at: element)
        }
        if !isText { checkText(of: element) }
        for child in element.children {
            if !child.isAnnotation, !children {
                unexpected(child, in: element.name)
            } else if child.isAnnotation, child.isCSDL, !isAnnotated {
                note("\(element.name) cannot be annotated.", at: child)
            }
        }
    }
}

extension EdmAnnotation.Expression {
    /// A cast of a string constant to a primitive type, as the JSON representation writes constants that need their
    /// type beside them, is that constant: `{"$Cast":"2000-01-01","$Type":"Edm.Date"}`.
    func simplified(_ names: CSDLNames) -> EdmAnnotation.Value {
        guard kind == .cast, annotations.isEmpty, facets == EdmFacets(), let type, operands.count == 1,
            case .string(let text) = operands.first
        else { return .expression(self) }
        switch names.kind(of: EdmQualifiedName(type)) {
        case .definition, .complex, .entity: return .expression(self)
        case .enumeration, nil: break
        }
        return CSDLConstant.value(text, type: type) ?? .expression(self)
    }
}
