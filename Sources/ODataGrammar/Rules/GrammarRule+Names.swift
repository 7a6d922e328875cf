import ODataQuery

/// Rules of names.
///
/// [OData-ABNF, section 6]
extension GrammarRule {
    static let nameRules: [String: Form] = {
        var rules: [String: Form] = ["odataIdentifier": identifier([]), "annotationQualifier": identifier([])]
        for kind in NameKind.allCases { rules[kind.rawValue] = identifier([kind]) }
        rules["keyPathLiteral"] = .plain {
            .name(try $0.uriText(0...Int.max, ":@"), [.keyPathLiteral], isQualified: false)
        }
        rules["customName"] = .plain { .name(try $0.customName(), [.customName], isQualified: false) }
        for kind in [
            NameKind.entityAnnotationInQuery, .complexAnnotationInQuery, .primitiveAnnotationInQuery,
            .primitiveColAnnotationInQuery, .entityAnnotationInFragment, .complexAnnotationInFragment,
        ] {
            rules[kind.rawValue] = .encoded { .name(try $0.annotationSign(), [], isQualified: false) }
        }
        rules.merge(groups) { first, _ in first }
        rules.merge(qualified) { first, _ in first }
        return rules
    }()

    /// Rules that are one of several kinds of names.
    private static let groups: [String: Form] = [
        "primitiveProperty": identifier([.primitiveKeyProperty, .primitiveNonKeyProperty, .customAggregate]),
        "navigationProperty": identifier([.entityNavigationProperty, .entityColNavigationProperty]),
        "singleTypeName": identifier(NameChecker.types),
        "namespace": .encoded { .name(try $0.name("a namespace"), [.namespacePart], isQualified: false) },
        "function": identifier(PathState.Result.allCases.map(\.function)),
        "abstractSpatialTypeName": word(["Geography", "Geometry"]),
        "concreteSpatialTypeName": word(shapes),
        "primitiveTypeName": .encoded { parser in
            let name = try parser.name("Edm.…")
            let checker = NameChecker(names: NameConstraints([:]), source: parser.source)
            guard checker.isPrimitive(name.text) else { throw parser.invalid("a primitive type", at: name.offset) }
            return .name(name, [], isQualified: true)
        },
    ]

    private static let qualified: [String: Form] = {
        let kinds: [(String, [NameKind])] = [
            ("EntityTypeName", [.entityTypeName]), ("ComplexTypeName", [.complexTypeName]),
            ("TypeDefinitionName", [.typeDefinitionName]), ("EnumTypeName", [.enumerationTypeName]),
            ("ActionName", [.action]), ("FunctionName", PathState.Result.allCases.map(\.function)),
        ]
        var rules: [String: Form] = [:]
        for (suffix, kinds) in kinds {
            rules["qualified" + suffix] = .encoded { parser in
                let name = try parser.name("a name with its namespace")
                guard name.isQualified else { throw parser.unexpected("'.'") }
                return .name(name, kinds, isQualified: true)
            }
            rules["optionallyQualified" + suffix] = .encoded { .name(try $0.name("a name"), kinds, isQualified: false) }
        }
        rules["singleQualifiedTypeName"] = .encoded { parser in
            let name = try parser.name("a name with its namespace")
            guard name.isQualified else { throw parser.unexpected("'.'") }
            return .name(name, NameChecker.types, isQualified: true)
        }
        rules["optionallyQualifiedTypeName"] = .encoded { .type(try $0.wholeTypeName(needsNamespace: false)) }
        rules["qualifiedTypeName"] = .encoded { .type(try $0.wholeTypeName(needsNamespace: true)) }
        return rules
    }()

    private static func word(_ words: [String]) -> Form {
        .encoded { parser in
            let name = try parser.identifier(words.joined(separator: ", "))
            guard words.contains(name.text) else {
                throw parser.invalid(words.joined(separator: ", "), at: name.offset)
            }
            return .name(name, [], isQualified: false)
        }
    }

    private static func identifier(_ kinds: [NameKind]) -> Form {
        .encoded { .name(try $0.limitedIdentifier(), kinds, isQualified: false) }
    }
}

extension SyntaxParser {
    /// An `odataIdentifier` of up to 128 characters.
    fileprivate mutating func limitedIdentifier() throws(QueryError) -> NameSyntax {
        let name = try identifier("a name")
        guard name.text.unicodeScalars.count <= 128 else {
            throw error(.syntax, "The name is too long.", at: name.offset, expected: "up to 128 characters")
        }
        return name
    }

    /// `customName`: neither `$` nor `@` at its start, and no equals sign.
    fileprivate mutating func customName() throws(QueryError) -> NameSyntax {
        guard !isNext("$"), !isNext("@") else { throw unexpected("a name without '$' or '@'") }
        let name = try uriText(1...Int.max, ":@/?")
        guard !name.text.utf8.contains(where: { "&=".utf8.contains($0) }) else {
            throw invalid("a name without '&' and '='", at: name.offset)
        }
        return name
    }

    fileprivate mutating func wholeTypeName(needsNamespace: Bool) throws(QueryError) -> TypeNameSyntax {
        let start = offset
        guard let type = typeName(), !needsNamespace || type.name.isQualified else {
            offset = start
            throw unexpected("the name of a type")
        }
        return type
    }
}
