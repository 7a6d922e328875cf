import ODataModel

extension EdmQualifiedName: Coded {
    static var blank: EdmQualifiedName { EdmQualifiedName(namespace: "", name: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&namespace)
        try coder.code(&name)
    }
}

extension EdmTypeReference: Coded {
    static var blank: EdmTypeReference { .string }

    private var tag: Int {
        switch self {
        case .primitive: 0
        case .enumeration: 1
        case .complex: 2
        case .entity: 3
        case .collection: 4
        }
    }

    private var name: EdmQualifiedName {
        switch self {
        case .enumeration(let name), .complex(let name), .entity(let name): name
        case .primitive, .collection: .blank
        }
    }

    mutating func code(with coder: inout ModelCoder) throws {
        let tag = try coder.code(tag: tag)
        switch tag {
        case 0:
            var type = primitive ?? .string
            try coder.code(&type)
            self = .primitive(type)
        case 1...3:
            var name = name
            try coder.code(&name)
            self = tag == 1 ? .enumeration(name) : tag == 2 ? .complex(name) : .entity(name)
        case 4:
            var type = element
            try coder.nested { try $0.code(&type) }
            // Collections have no collections in them.
            guard !type.isCollection else { throw ModelCoder.Damage() }
            self = .collection(type)
        default: throw ModelCoder.Damage()
        }
    }
}

extension EdmFacets: Coded {
    static var blank: EdmFacets { EdmFacets() }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&maxLength)
        try coder.code(&precision)
        try coder.code(&scale)
        try coder.code(&isUnicode)
        try coder.code(&srid)
    }
}

extension EdmProperty.Scale: Coded {
    static var blank: EdmProperty.Scale { .variable }

    mutating func code(with coder: inout ModelCoder) throws {
        let fixed: Int? = if case .fixed(let digits) = self { digits } else { nil }
        switch try coder.code(tag: fixed != nil ? 2 : self == .variable ? 0 : 1) {
        case 0: self = .variable
        case 1: self = .floating
        case 2:
            var digits = fixed ?? 0
            try coder.code(&digits)
            self = .fixed(digits)
        default: throw ModelCoder.Damage()
        }
    }
}

extension EdmStructuredTypeDeclaration: Coded {
    static var blank: EdmStructuredTypeDeclaration { EdmStructuredTypeDeclaration(name: .blank, properties: []) }

    mutating func code(with coder: inout ModelCoder) throws {
        kind = try coder.code(tag: kind == .entity ? 0 : 1) == 0 ? .entity : .complex
        try coder.code(&name)
        try coder.code(&baseType)
        try coder.code(&isAbstract)
        try coder.code(&isOpen)
        try coder.code(&hasStream)
        try coder.code(&key)
        try coder.code(&keyAliases)
        try coder.code(&properties)
        try coder.code(&navigationProperties)
        try coder.code(&annotations)
    }
}

extension EdmProperty: Coded {
    static var blank: EdmProperty { EdmProperty(name: "", type: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&type)
        try coder.code(&namedType)
        try coder.code(&isNullable)
        try coder.code(&hasNullMembers)
        try coder.code(&facets)
        try coder.code(&defaultValue)
        try coder.code(&annotations)
    }
}

extension EdmNavigationProperty: Coded {
    static var blank: EdmNavigationProperty { EdmNavigationProperty(name: "", target: .blank, isCollection: false) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&target)
        try coder.code(&isCollection)
        try coder.code(&isNullable)
        try coder.code(&partner)
        try coder.code(&containsTarget)
        try coder.code(&constraints)
        try coder.code(&onDelete)
        try coder.code(&annotations)
    }
}

extension EdmNavigationProperty.Constraint: Coded {
    static var blank: EdmNavigationProperty.Constraint {
        EdmNavigationProperty.Constraint(property: "", referencedProperty: "")
    }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&property)
        try coder.code(&referencedProperty)
        try coder.code(&annotations)
    }
}

extension EdmNavigationProperty.OnDelete: Coded {
    static var blank: EdmNavigationProperty.OnDelete { EdmNavigationProperty.OnDelete(action: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&action)
        try coder.code(&annotations)
    }
}

extension EdmEnumType: Coded {
    static var blank: EdmEnumType { EdmEnumType(name: .blank, members: []) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&underlyingType)
        try coder.code(&isFlags)
        try coder.code(&members)
        try coder.code(&annotations)
    }
}

extension EdmEnumType.Member: Coded {
    static var blank: EdmEnumType.Member { EdmEnumType.Member(name: "", value: 0) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&value)
        try coder.code(&annotations)
    }
}

extension EdmTypeDefinition: Coded {
    static var blank: EdmTypeDefinition { EdmTypeDefinition(name: .blank, underlyingType: .string) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&underlyingType)
        try coder.code(&facets)
        try coder.code(&annotations)
    }
}

extension EdmTerm: Coded {
    static var blank: EdmTerm { EdmTerm(name: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&type)
        try coder.code(&namedType)
        try coder.code(&isNullable)
        try coder.code(&facets)
        try coder.code(&defaultValue)
        try coder.code(&baseTerm)
        try coder.code(&appliesTo)
        try coder.code(&annotations)
    }
}
