import ODataModel

/// Says in a PATCH what becomes of members that are not given: it would leave them as they are.
package struct PatchCompletion {
    let model: EdmModel

    package init(model: EdmModel) { self.model = model }

    /// `later`, as it must be said where one PATCH takes the place of two: what it makes of a value that the earlier
    /// one sets to null is the whole value.
    package func completed(_ later: EdmComplexValue, after earlier: EdmComplexValue, of type: EdmStructuredType)
        -> EdmComplexValue
    {
        var result = later
        for member in later.members {
            guard case .complex(let given) = member.value, let property = type.property(named: member.name) else {
                continue
            }
            switch earlier[member.name] {
            case .null?: result[member.name] = .complex(whole(given, of: property.type))
            case .complex(let known)?:
                guard let inner = structuredType(of: given, property.type) else { continue }
                result[member.name] = .complex(completed(given, after: known, of: inner))
            default: break
            }
        }
        return result
    }

    /// The value with all members of its type: those that are not given have their defaults. One that must have a value
    /// and has no default is left out.
    package func whole(_ value: EdmComplexValue, of declared: EdmTypeReference) -> EdmComplexValue {
        guard let type = structuredType(of: value, declared) else { return value }
        var result = value
        for property in type.properties where !property.isStream && !property.isTagged(EdmAnnotation.computed) {
            if case .complex(let inner)? = value[property.name] {
                result[property.name] = .complex(whole(inner, of: property.type))
            } else if value[property.name] == nil {
                result[property.name] = initial(property)
            }
        }
        return result
    }

    private func initial(_ property: EdmProperty) -> EdmValue? {
        property.declaredDefault ?? (property.isNullable ? .null : nil)
    }

    private func structuredType(of value: EdmComplexValue, _ declared: EdmTypeReference) -> EdmStructuredType? {
        guard case .complex(let name) = declared else { return nil }
        return model.structuredType(named: value.type ?? name)
    }
}
