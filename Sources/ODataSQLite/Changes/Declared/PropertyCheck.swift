import ODataModel
import ODataStores

/// Checks values against what a model says of their properties.
struct PropertyCheck {
    let model: Model

    /// `value` as one of the property's type.
    ///
    /// - Parameter name: The property as messages name it.
    /// - Throws: ``ODataError`` `badRequest` naming the property.
    func value(_ value: Value, for property: Property, named name: String) throws -> Value {
        if case .collection(let element) = property.type {
            guard case .collection(let members) = value else { throw Self.refusal(name, "takes a collection") }
            var facets = property
            facets.type = element
            return .collection(try members.map { try self.value($0, for: facets, named: name) })
        }
        guard !value.isNull else {
            guard property.isNullable else { throw Self.refusal(name, "must not be null") }
            return .null
        }
        let fitting = try fitting(value, property.type, named: name)
        try FacetCheck(property: property, name: name).check(fitting)
        return fitting
    }

    private func fitting(_ value: Value, _ type: TypeReference, named name: String) throws -> Value {
        switch type {
        case .primitive(let primitive):
            guard let fitting = PrimitiveFit(type: primitive).value(value) else {
                throw Self.refusal(name, "takes values of Edm.\(primitive.rawValue), not \(value.lexical.prefix(100))")
            }
            return fitting
        case .enumeration(let name): return try member(value, of: name, named: name.name)
        case .complex(let type): return .complex(try complex(value, type, named: name))
        case .entity, .collection: return value
        }
    }

    private func member(_ value: Value, of type: QualifiedName, named name: String) throws -> Value {
        guard let enumeration = model.enumType(named: type) else { return value }
        let all = enumeration.members.reduce(Int64(0)) { $0 | $1.value }
        guard let number = enumeration.number(of: value),
            enumeration.isFlags ? number & ~all == 0 : enumeration.members.contains(where: { $0.value == number })
        else { throw Self.refusal(name, "takes members of \(type), not \(value.lexical.prefix(100))") }
        return .enumeration(type, enumeration.text(of: number))
    }

    private func complex(_ value: Value, _ type: QualifiedName, named name: String) throws -> ComplexValue {
        guard case .complex(let given) = value else { throw Self.refusal(name, "takes a \(type)") }
        guard let declared = model.structuredType(named: type) else { return given }
        let actual = given.type.flatMap { model.structuredType(named: $0) } ?? declared
        guard actual.isKind(of: declared) else { throw Self.refusal(name, "takes a \(type), not a \(actual.name)") }
        var result = ComplexValue([], type: actual == declared ? nil : actual.name)
        for member in given.members {
            let path = "\(name)/\(member.name)"
            guard let property = actual.property(named: member.name) else {
                guard actual.isOpen else { throw Self.refusal(path, "is unknown to \(actual.name)") }
                result[member.name] = member.value
                continue
            }
            result[member.name] = try self.value(member.value, for: property, named: path)
        }
        for property in actual.properties where result[property.name] == nil {
            result[property.name] = try standard(property, named: "\(name)/\(property.name)")
        }
        return result
    }

    /// What a property is that has no value: its default, an empty collection, or null.
    func standard(_ property: Property, named name: String) throws -> Value {
        if let value = property.declaredDefault {
            return try self.value(value, for: property, named: name)
        }
        if property.type.isCollection { return .collection([]) }
        guard property.isNullable else { throw Self.refusal(name, "must have a value") }
        return .null
    }

    static func refusal(_ name: String, _ what: String) -> ODataError {
        ODataError(.badRequest, "The property \(name) \(what).")
    }
}
