import ODataQuery

/// Checks the names of a syntax tree against lists of names: which kinds of names can stand where is what the grammar
/// says.
///
/// A path is followed as the set of all that its names may stand for, since a name may be of several kinds.
struct NameChecker {
    let names: NameConstraints
    let source: QuerySource

    func error(_ expected: String, at offset: Int) -> QueryError {
        source.error(.unknownName, "This name or segment cannot stand here.", at: offset, expected: expected)
    }

    func unknown(_ name: NameSyntax, _ what: String, _ kinds: [NameKind]) -> QueryError {
        let nearest = names.nearest(to: name.text, among: kinds)
        return error(nearest.map { "\(what), such as \($0)" } ?? what, at: name.offset)
    }

    func expect(_ kind: NameKind, _ name: NameSyntax, _ what: String) throws(QueryError) {
        guard names.allows(kind, name.text) else { throw unknown(name, what, [kind]) }
    }

    /// The states that `step` gives for any of `states`, without doubles.
    func union(_ states: [PathState], _ step: (PathState) -> [PathState]) -> [PathState] {
        var result: [PathState] = []
        for state in states {
            for next in step(state) where !result.contains(next) { result.append(next) }
        }
        return result
    }

    // MARK: Types

    static let types: [NameKind] = [.entityTypeName, .complexTypeName, .typeDefinitionName, .enumerationTypeName]

    /// `optionallyQualifiedTypeName`
    func check(_ type: TypeNameSyntax) throws(QueryError) {
        guard isPrimitive(type.name.text) || names.allows(Self.types, qualified: type.name.text) else {
            throw unknown(type.name, "a type", Self.types)
        }
    }

    /// `primitiveTypeName`
    func isPrimitive(_ name: String) -> Bool {
        guard name.hasPrefix("Edm.") else { return false }
        return Self.primitiveTypes.contains(String(name.dropFirst(4)))
    }

    private static let primitiveTypes: Set<String> = {
        let shapes = [
            "", "Collection", "LineString", "MultiLineString", "MultiPoint", "MultiPolygon", "Point", "Polygon",
        ]
        let plain = [
            "Binary", "Boolean", "Byte", "Date", "DateTimeOffset", "Decimal", "Double", "Duration", "Guid", "Int16",
            "Int32", "Int64", "SByte", "Single", "Stream", "String", "TimeOfDay",
        ]
        return Set(plain + shapes.map { "Geography" + $0 } + shapes.map { "Geometry" + $0 })
    }()

    // MARK: Literals

    /// The name of the type and of the members of an enumeration literal.
    func checkEnumeration(_ type: String, _ members: String, at offset: Int) throws(QueryError) {
        guard names.allows([.enumerationTypeName], qualified: type, needsNamespace: true) else {
            throw error("the name of an enumeration type", at: offset)
        }
        try checkMembers(members, at: offset)
    }

    func checkMembers(_ members: String, at offset: Int) throws(QueryError) {
        for member in members.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = member.first == "-" || member.first == "+" ? member.dropFirst() : member
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { isDigit($0) }
            guard isNumber || names.allows(.enumerationMember, String(member)) else {
                throw error("members of the enumeration", at: offset)
            }
        }
    }
}
