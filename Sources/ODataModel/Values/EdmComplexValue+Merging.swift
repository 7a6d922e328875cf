extension EdmComplexValue {
    /// What a PATCH with `given` makes of the value: members that it does not name keep their values, at any depth;
    /// collections are replaced whole, and null takes a complex value away.
    ///
    /// [OData-Protocol, section 11.4.3]
    package func merging(_ given: EdmComplexValue) -> EdmComplexValue {
        var result = self
        if given.type != nil { result.type = given.type }
        for member in given.members {
            if case .complex(let inner) = member.value, case .complex(let old)? = self[member.name] {
                result[member.name] = .complex(old.merging(inner))
            } else {
                result[member.name] = member.value
            }
        }
        return result
    }

    /// Whether the value has what is given: other members of complex values may be there too.
    package func has(_ given: EdmComplexValue) -> Bool {
        (given.type == nil || given.type == type)
            && given.members.allSatisfy { (self[$0.name] ?? .null).has($0.value) }
    }
}

extension EdmValue {
    fileprivate func has(_ given: EdmValue) -> Bool {
        switch (self, given) {
        case (.complex(let own), .complex(let given)): own.has(given)
        case (.collection(let own), .collection(let given)):
            own.count == given.count && zip(own, given).allSatisfy { $0.has($1) }
        default: self == given
        }
    }
}

extension EdmComplexValue {
    /// The value at the end of a path through complex values: `["Address", "Code"]`; nil if there is none.
    package func value(at path: some Collection<String>) -> EdmValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        let rest = path.dropFirst()
        if rest.isEmpty { return value }
        guard case .complex(let nested) = value else { return nil }
        return nested.value(at: rest)
    }
}
