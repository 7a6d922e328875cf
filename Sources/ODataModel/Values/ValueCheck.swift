/// Checks values against what a model says of their properties: types, nullability, facets, members of complex values
/// and of enumerations. All stores use it, so that none accepts what another one refuses.
package struct ValueCheck: Sendable {
    /// Why a value is refused.
    package struct Problem: Error {
        /// The path of the property: `Address/Zip`
        package var name: String
        package var what: String

        package var message: String { "The property \(name) \(what)." }
    }

    let model: EdmModel
    /// Whether complex values may leave members out, as those of a PATCH do. Else what is left out is set to its default.
    let allowsParts: Bool

    package init(model: EdmModel, allowsParts: Bool = false) {
        self.model = model
        self.allowsParts = allowsParts
    }

    /// `value` as one of the property's type.
    ///
    /// - Parameter name: The property as messages name it.
    package func value(_ value: EdmValue, for property: EdmProperty, named name: String) throws(Problem) -> EdmValue {
        if case .collection(let element) = property.type {
            guard case .collection(let members) = value else { throw Problem(name: name, what: "takes a collection") }
            var member = property
            member.type = element
            var checked: [EdmValue] = []
            for value in members { checked.append(try self.value(value, for: member, named: name)) }
            return .collection(checked)
        }
        guard !value.isNull else {
            guard property.isNullable else { throw Problem(name: name, what: "must not be null") }
            return .null
        }
        switch property.type {
        case .primitive(let type): return try Self.primitive(value, of: type, for: property, named: name)
        case .enumeration(let type): return try member(value, of: type, named: name)
        case .complex(let type): return .complex(try complex(value, type, named: name))
        case .entity, .collection: return value
        }
    }

    /// A value that is not null as one of a primitive type, within the facets of the property.
    package static func primitive(
        _ value: EdmValue, of type: EdmPrimitiveType, for property: EdmProperty, named name: String
    ) throws(Problem) -> EdmValue {
        guard let fitting = PrimitiveFit(type: type).value(value) else {
            let text = value.lexical.prefix(100)
            throw Problem(name: name, what: "takes values of Edm.\(type.rawValue), not \(text)")
        }
        try FacetCheck(property: property, name: name).check(fitting)
        return fitting
    }

    private func member(_ value: EdmValue, of type: EdmQualifiedName, named name: String) throws(Problem) -> EdmValue {
        guard let enumeration = model.enumType(named: type) else { return value }
        let all = enumeration.members.reduce(Int64(0)) { $0 | $1.value }
        guard let number = enumeration.number(of: value),
            enumeration.isFlags ? number & ~all == 0 : enumeration.members.contains(where: { $0.value == number })
        else { throw Problem(name: name, what: "takes members of \(type), not \(value.lexical.prefix(100))") }
        return .enumeration(type, enumeration.text(of: number))
    }

    private func complex(_ value: EdmValue, _ type: EdmQualifiedName, named name: String) throws(Problem)
        -> EdmComplexValue
    {
        guard case .complex(let given) = value else { throw Problem(name: name, what: "takes a \(type)") }
        guard let declared = model.structuredType(named: type) else { return given }
        let actual = given.type.flatMap { model.structuredType(named: $0) } ?? declared
        guard actual.isKind(of: declared) else {
            throw Problem(name: name, what: "takes a \(type), not a \(actual.name)")
        }
        var result = EdmComplexValue([], type: actual == declared ? nil : actual.name)
        for member in given.members {
            let path = "\(name)/\(member.name)"
            guard let property = actual.property(named: member.name) else {
                guard actual.isOpen else { throw Problem(name: path, what: "is unknown to \(actual.name)") }
                result[member.name] = member.value
                continue
            }
            result[member.name] = try self.value(member.value, for: property, named: path)
        }
        guard !allowsParts else { return result }
        for property in actual.properties where result[property.name] == nil {
            result[property.name] = try standard(property, named: "\(name)/\(property.name)")
        }
        return result
    }

    /// What a property is that has no value: its default, an empty collection, or null.
    package func standard(_ property: EdmProperty, named name: String) throws(Problem) -> EdmValue {
        if let value = property.declaredDefault {
            return try self.value(value, for: property, named: name)
        }
        guard property.isNullable else { throw Problem(name: name, what: "must have a value") }
        return .null
    }
}
