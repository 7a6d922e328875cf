import ODataQuery

/// What a path has led to, as far as names without types can report.
enum PathState: Hashable {
    /// A collection of entities, of values, …: after a cast only what the grammar calls the path without cast.
    case collection, collectionCast, complexCol, complexColCast, primitiveCol
    case single, singleCast, complex, complexCast, primitive, stream
    /// A key as a segment may be followed by others.
    case keySegments
    /// After `$each`: an operation, or the end.
    case each
    /// A function: its parameters must follow.
    case parameters(Result)
    /// `$all`
    case allEntities
    /// Only `$query`.
    case queryOnly
    case ended
    /// In expressions: after a cast a property must follow; after `$it`, or a variable, one may.
    case member, directMember, variable, annotated

    /// What a function gives.
    enum Result: CaseIterable {
        case collection, single, complexCol, complex, primitiveCol, primitive

        var state: PathState {
            switch self {
            case .collection: .collection
            case .single: .single
            case .complexCol: .complexCol
            case .complex: .complex
            case .primitiveCol: .primitiveCol
            case .primitive: .primitive
            }
        }

        var function: NameKind {
            switch self {
            case .collection: .entityColFunction
            case .single: .entityFunction
            case .complexCol: .complexColFunction
            case .complex: .complexFunction
            case .primitiveCol: .primitiveColFunction
            case .primitive: .primitiveFunction
            }
        }

        var functionImport: NameKind {
            switch self {
            case .collection: .entityColFunctionImport
            case .single: .entityFunctionImport
            case .complexCol: .complexColFunctionImport
            case .complex: .complexFunctionImport
            case .primitiveCol: .primitiveColFunctionImport
            case .primitive: .primitiveFunctionImport
            }
        }
    }
}

extension NameConstraints {
    static let properties: [(NameKind, PathState)] = [
        (.entityColNavigationProperty, .collection), (.entityNavigationProperty, .single),
        (.complexColProperty, .complexCol), (.complexProperty, .complex), (.primitiveColProperty, .primitiveCol),
        (.primitiveKeyProperty, .primitive), (.primitiveNonKeyProperty, .primitive), (.customAggregate, .primitive),
        (.streamProperty, .stream),
    ]

    /// What a property of the given name leads to.
    func property(_ name: String) -> [PathState] {
        Self.properties.compactMap { allows($0.0, name) ? $0.1 : nil }
    }

    /// What functions of the given name give.
    func functions(_ name: String) -> [PathState.Result] {
        PathState.Result.allCases.filter { allows([$0.function], qualified: name) }
    }

    func functionImports(_ name: String) -> [PathState.Result] {
        PathState.Result.allCases.filter { allows($0.functionImport, name) }
    }
}
