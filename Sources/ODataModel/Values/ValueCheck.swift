/// Checks values against what a model says of their properties: types, nullability, facets, members of complex values
/// and of enumerations. All stores use it, so that none accepts what another one refuses.
///
/// It is for what apps and clients set. What a service sends is taken as it is.
package struct ValueCheck: Sendable {
    let model: EdmModel
    /// Whether complex values may leave members out, as those of a PATCH do. Else what is left out is set to its default.
    let allowsParts: Bool
    /// What messages call a value: `property`, `parameter`.
    let subject: String

    package init(model: EdmModel, allowsParts: Bool = false, subject: String = "property") {
        self.model = model
        self.allowsParts = allowsParts
        self.subject = subject
    }

    /// `value` as one of the property's type.
    ///
    /// - Parameter path: The property as messages name it.
    package func value(_ value: EdmValue, for property: EdmProperty, at path: String) throws(ValueProblem) -> EdmValue {
        if case .collection(let element) = property.type {
            guard case .collection(let members) = value else { throw mismatch(value, property.type, path) }
            var member = property
            member.type = element
            var checked: [EdmValue] = []
            checked.reserveCapacity(members.count)
            for (index, value) in members.enumerated() {
                checked.append(try self.value(value, for: member, at: "\(path)/\(index)"))
            }
            return .collection(checked)
        }
        guard !value.isNull else {
            guard property.isNullable else { throw ValueProblem(path, ValueProblem.mustNotBeNull, subject: subject) }
            return .null
        }
        switch property.type {
        case .primitive(let type):
            return try Self.primitive(value, of: type, facets: property.facets, subject, at: path)
        case .enumeration(let type): return try member(value, of: type, at: path)
        case .complex(let type): return .complex(try complex(value, type, at: path))
        case .entity, .collection: return value
        }
    }

    /// A value that is not null as one of a primitive type, within the facets.
    package static func primitive(
        _ value: EdmValue, of type: EdmPrimitiveType, facets: EdmFacets, _ subject: String = "property", at path: String
    ) throws(ValueProblem) -> EdmValue {
        guard let fitting = PrimitiveFit(type: type).property(value) else {
            throw ValueProblem(path, ValueProblem.takes(.primitive(type), not: value.shown), subject: subject)
        }
        if let fault = FacetCheck(facets: facets).fault(of: fitting) {
            throw ValueProblem(path, fault, subject: subject)
        }
        return fitting
    }

    private func mismatch(_ value: EdmValue, _ type: EdmTypeReference, _ path: String) -> ValueProblem {
        ValueProblem(path, ValueProblem.takes(type, not: value.shown), subject: subject)
    }

    private func member(_ value: EdmValue, of type: EdmQualifiedName, at path: String) throws(ValueProblem) -> EdmValue
    {
        guard let enumeration = model.enumType(named: type) else { return value }
        guard let number = enumeration.declaredNumber(of: value) else {
            throw ValueProblem(path, ValueProblem.takes(membersOf: enumeration, not: value.shown), subject: subject)
        }
        return .enumeration(type, enumeration.text(of: number))
    }

    private func complex(_ value: EdmValue, _ type: EdmQualifiedName, at path: String) throws(ValueProblem)
        -> EdmComplexValue
    {
        guard case .complex(let given) = value else { throw mismatch(value, .complex(type), path) }
        guard let declared = model.structuredType(named: type) else { return given }
        let actual = try self.type(of: given, declared: declared, at: path)
        var result = EdmComplexValue([], type: actual == declared ? nil : actual.name)
        for member in given.members {
            let path = "\(path)/\(member.name)"
            guard let property = actual.property(named: member.name) else {
                guard actual.isOpen else {
                    throw ValueProblem(path, ValueProblem.isNotDeclared(by: actual.name), subject: subject)
                }
                result[member.name] = member.value
                continue
            }
            result[member.name] = try self.value(member.value, for: property, at: path)
        }
        guard !allowsParts else { return result }
        for property in actual.properties where result[property.name] == nil {
            result[property.name] = try standard(property, at: "\(path)/\(property.name)")
        }
        return result
    }

    /// The type of a complex value: the one that it names, which must derive from the declared one.
    private func type(
        of value: EdmComplexValue, declared: EdmStructuredType, at path: String
    ) throws(ValueProblem) -> EdmStructuredType {
        guard let name = value.type else { return declared }
        guard let type = model.structuredType(named: name), type.isKind(of: declared) else {
            throw ValueProblem(path, ValueProblem.takes(.complex(declared.name), not: "a \(name)"), subject: subject)
        }
        return type
    }

    /// What a property is that has no value: its default, an empty collection, or null.
    package func standard(_ property: EdmProperty, at path: String) throws(ValueProblem) -> EdmValue {
        if let value = property.declaredDefault { return try self.value(value, for: property, at: path) }
        guard property.isNullable else { throw ValueProblem(path, ValueProblem.mustHaveValue, subject: subject) }
        return .null
    }
}

extension EdmEnumType {
    /// The number of a value, if members stand for all of it; nil for other values.
    package func declaredNumber(of value: EdmValue) -> Int64? {
        guard let number = number(of: value) else { return nil }
        let all = members.reduce(Int64(0)) { $0 | $1.value }
        let isDeclared = isFlags ? number & ~all == 0 : members.contains { $0.value == number }
        return isDeclared ? number : nil
    }
}
