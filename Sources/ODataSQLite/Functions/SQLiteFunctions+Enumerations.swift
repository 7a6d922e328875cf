import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// The members of a type are passed as `Red=1,Yellow=2`.
    static let enumerations: [(String, CInt, Implementation)] = [
        ("odata_enumeration", 2, { SQLFunctionCall($0, $1, $2).memberNumber() }),
        ("odata_enumerationnumber", 3, { SQLFunctionCall($0, $1, $2).checkedNumber() }),
        ("odata_membername", 3, { SQLFunctionCall($0, $1, $2).memberName() }),
    ]
}

extension SQLFunctionCall {
    /// The type with the members of an argument. Members of flags are combined in any case.
    private func type(_ index: Int, isFlags: Bool) -> EdmEnumType? {
        guard let text = text(index) else { return nil }
        let members = text.split(separator: ",").compactMap { pair -> EdmEnumType.Member? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = Int64(parts[1]) else { return nil }
            return EdmEnumType.Member(name: String(parts[0]), value: value)
        }
        return EdmEnumType(name: EdmQualifiedName("Type"), isFlags: isFlags, members: members)
    }

    /// The number of `Red,Yellow`; of `7` that number.
    fileprivate func memberNumber() {
        if kind(0) == SQLITE_INTEGER { return setResult(integer(0)) }
        guard let text = text(0) else { return setResult(nil as Int64?) }
        setResult(type(1, isFlags: true)?.number(of: text))
    }

    /// The number if the type has a member with it, or if it is a combination of flags.
    fileprivate func checkedNumber() {
        guard let number = integer(0) ?? text(0).flatMap({ Int64($0) }),
            let type = type(1, isFlags: integer(2) == 1)
        else { return setResult(nil as Int64?) }
        setResult(type.isFlags || type.members.contains { $0.value == number } ? number : nil)
    }

    fileprivate func memberName() {
        guard let number = integer(0) else { return setResult(text(0)) }
        setResult(type(1, isFlags: integer(2) == 1)?.text(of: number))
    }
}
