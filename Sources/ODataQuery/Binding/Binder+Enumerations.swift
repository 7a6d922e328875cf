import ODataModel

/// Enumeration literals.
extension Binder {
    func enumeration(_ value: EdmValue, _ name: EdmQualifiedName) -> EdmValue? {
        switch value {
        case .null: .null
        case .enumeration(name, _): value
        case .string(let text):
            model.enumType(named: name).flatMap { $0.text(text) }.map { .enumeration(name, $0) }
        case .integer(let number):
            model.enumType(named: name).flatMap { $0.text("\(number)") }.map { .enumeration(name, $0) }
        default: nil
        }
    }

    /// `value` itself; where it is of an enumeration type, with the type's full name, and its members checked.
    func checkedEnumeration(_ value: EdmValue, at offset: Int) throws(QueryError) -> EdmValue {
        guard case .enumeration(let written, let text) = value else { return value }
        let name = resolved(written)
        guard let type = model.enumType(named: name) else {
            let known = model.schemas.flatMap(\.enumTypes).map(\.name.description)
            throw unknown("type \(written)", NameSyntax(text: "\(written)", offset: offset), among: known)
        }
        guard let canonical = type.text(text) else {
            let nearest = nearestName(to: text, in: type.members.map(\.name))
            throw error(.unknownName, "There is no member '\(text)' in \(name).", at: offset, expected: nearest)
        }
        return .enumeration(name, canonical)
    }
}

extension EdmEnumType {
    /// `text` without white space, if it names members of this type or gives numbers; nil otherwise.
    fileprivate func text(_ text: String) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard isFlags || parts.count == 1 else { return nil }
        let isKnown = parts.allSatisfy { part in members.contains { $0.name == part } || Int64(part) != nil }
        return isKnown ? parts.joined(separator: ",") : nil
    }
}
