import ODataModel

extension EdmSchema: Coded {
    static var blank: EdmSchema { EdmSchema(namespace: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&namespace)
        try coder.code(&alias)
        try coder.code(&types)
        try coder.code(&enumTypes)
        try coder.code(&typeDefinitions)
        try coder.code(&terms)
        try coder.code(&operations)
        try coder.code(&container)
        try coder.code(&baseContainer)
        try coder.code(&containerAnnotations)
        try coder.code(&entitySets)
        try coder.code(&operationImports)
        try coder.code(&annotations)
        try coder.code(&targetedAnnotations)
    }
}

extension EdmEntitySetDeclaration: Coded {
    static var blank: EdmEntitySetDeclaration { EdmEntitySetDeclaration(name: "", type: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        kind = try coder.code(tag: kind == .entitySet ? 0 : 1) == 0 ? .entitySet : .singleton
        try coder.code(&name)
        try coder.code(&type)
        try coder.code(&bindings)
        try coder.code(&isInServiceDocument)
        try coder.code(&isNullable)
        try coder.code(&annotations)
    }
}

extension EdmOperationImport: Coded {
    static var blank: EdmOperationImport { EdmOperationImport(kind: .action, name: "", operation: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&kind)
        try coder.code(&name)
        try coder.code(&operation)
        try coder.code(&entitySet)
        try coder.code(&isInServiceDocument)
        try coder.code(&httpMethod)
        try coder.code(&annotations)
    }
}

extension EdmOperationDeclaration: Coded {
    static var blank: EdmOperationDeclaration { EdmOperationDeclaration(kind: .action, name: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&kind)
        try coder.code(&name)
        try coder.code(&isBound)
        try coder.code(&isComposable)
        try coder.code(&entitySetPath)
        try coder.code(&parameters)
        try coder.code(&result)
        try coder.code(&annotations)
    }
}

extension EdmOperationDeclaration.Kind: Coded {
    static var blank: EdmOperationDeclaration.Kind { .action }

    mutating func code(with coder: inout ModelCoder) throws {
        self = try coder.code(tag: self == .action ? 0 : 1) == 0 ? .action : .function
    }
}

extension EdmOperationDeclaration.Parameter: Coded {
    static var blank: EdmOperationDeclaration.Parameter { EdmOperationDeclaration.Parameter(name: "", type: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&name)
        try coder.code(&type)
        try coder.code(&namedType)
        try coder.code(&isNullable)
        try coder.code(&facets)
        try coder.code(&annotations)
    }
}

extension EdmOperationDeclaration.Result: Coded {
    static var blank: EdmOperationDeclaration.Result { EdmOperationDeclaration.Result(type: .blank) }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&type)
        try coder.code(&namedType)
        try coder.code(&isNullable)
        try coder.code(&facets)
        try coder.code(&annotations)
    }
}

extension EdmReference: Coded {
    static var blank: EdmReference { EdmReference(url: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&url)
        try coder.code(&includes)
        try coder.code(&includedAnnotations)
        try coder.code(&annotations)
    }
}

extension EdmReference.Include: Coded {
    static var blank: EdmReference.Include { EdmReference.Include(namespace: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&namespace)
        try coder.code(&alias)
        try coder.code(&annotations)
    }
}

extension EdmReference.IncludedAnnotations: Coded {
    static var blank: EdmReference.IncludedAnnotations { EdmReference.IncludedAnnotations(termNamespace: "") }

    mutating func code(with coder: inout ModelCoder) throws {
        try coder.code(&termNamespace)
        try coder.code(&targetNamespace)
        try coder.code(&qualifier)
    }
}
