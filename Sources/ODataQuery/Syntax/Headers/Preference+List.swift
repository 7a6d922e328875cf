extension Preference {
    /// The preferences of a header `Prefer`, unknown ones too; of one that is given twice the first counts.
    package static func list(_ header: String, limits: QueryLimits = .default) throws(QueryError) -> [Preference] {
        let source = try QuerySource(text: header, limits: limits)
        var parser = SyntaxParser(source, limits: limits)
        var preferences: [Preference] = []
        for preference in try parser.preferences() where !preferences.contains(where: { $0.name == preference.name }) {
            preferences.append(preference)
        }
        parser.skipBlanks()
        guard parser.isAtEnd else { throw parser.unexpected("',' or the end") }
        return preferences
    }
}
