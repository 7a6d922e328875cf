import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// Collections are JSON arrays; their members are compared by value, not by text.
    static let collections: [(String, CInt, Implementation)] = [
        ("odata_canonical", 2, { SQLFunctionCall($0, $1, $2).canonicalText() }),
        ("odata_collection", 4, { SQLFunctionCall($0, $1, $2).collectionTest() }),
        ("odata_append", 2, { SQLFunctionCall($0, $1, $2).appended() }),
        ("odata_slice", 2, { SQLFunctionCall($0, $1, $2).slice() }),
        ("odata_slice", 3, { SQLFunctionCall($0, $1, $2).slice() }),
        ("odata_numbertexts", 1, { SQLFunctionCall($0, $1, $2).numberTexts() }),
    ]
}

extension SQLFunctionCall {
    private func node(_ index: Int) -> JSONNode? {
        text(index).flatMap { try? JSONParser.parse(Array($0.utf8)[...]) }
    }

    private func elements(_ index: Int, kind: EdmPrimitiveType?) -> [String]? {
        node(index)?.elements?.map { $0.canonical(kind) }
    }

    /// Text that is equal for equal values.
    fileprivate func canonicalText() {
        setResult(node(0)?.canonical(text(1).flatMap { EdmPrimitiveType(rawValue: $0) }))
    }

    /// `odata_collection('hassubset', '[4,1]', '[1]', 'Int32')`
    fileprivate func collectionTest() {
        let kind = text(3).flatMap { EdmPrimitiveType(rawValue: $0) }
        guard let name = text(0), let all = elements(1, kind: kind), let part = elements(2, kind: kind) else {
            return setResult(nil as Int64?)
        }
        let result: Bool?
        switch name {
        case "hassubset": result = Self.isSubset(part, of: all)
        case "hassubsequence": result = Self.isSubsequence(part, of: all)
        case "contains": result = Self.position(of: part, in: all) >= 0
        case "startswith": result = all.starts(with: part)
        case "endswith": result = all.reversed().starts(with: part.reversed())
        case "indexof": return setResult(Int64(Self.position(of: part, in: all)))
        default: result = nil
        }
        setResult(condition: result)
    }

    private static func isSubset(_ part: [String], of all: [String]) -> Bool {
        var counts: [String: Int] = [:]
        for item in all { counts[item, default: 0] += 1 }
        for item in part {
            guard let count = counts[item], count > 0 else { return false }
            counts[item] = count - 1
        }
        return true
    }

    private static func isSubsequence(_ part: [String], of all: [String]) -> Bool {
        var rest = part[...]
        for item in all where item == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    /// -1 if it is not in the array.
    private static func position(of part: [String], in all: [String]) -> Int {
        guard part.count <= all.count else { return -1 }
        return (0...(all.count - part.count)).first { all[$0...].starts(with: part) } ?? -1
    }

    /// The array of two arrays.
    fileprivate func appended() {
        guard let first = source(0), let second = source(1) else { return setResult(nil as Int64?) }
        setResult("[" + (first + second).joined(separator: ",") + "]")
    }

    /// The members of an array as they are written.
    private func source(_ index: Int) -> [String]? {
        guard let text = text(index), let elements = node(index)?.elements else { return nil }
        let bytes = Array(text.utf8)
        return elements.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    /// Members from a position (from 0; negative positions count from the end), a number of them or all.
    fileprivate func slice() {
        guard let items = source(0), let start = integer(1), kind(2) != SQLITE_NULL || count == 2 else {
            return setResult(nil as Int64?)
        }
        if let length = integer(2), length < 0 { return fail("the length of a part is negative.") }
        let size = Int64(items.count)
        let from = start < 0 ? max(0, size + max(start, -size)) : min(start, size)
        let length = min(integer(2) ?? size, size - from)
        setResult("[" + items.dropFirst(Int(from)).prefix(Int(length)).joined(separator: ",") + "]")
    }

    /// An array of numbers as an array of their texts, so that SQLite does not lose digits.
    fileprivate func numberTexts() {
        guard let elements = node(0)?.elements else { return setResult(nil as Int64?) }
        let items = elements.map { node in
            switch node.content {
            case .number(let digits): "\"\(digits)\""
            case .string(let text): EdmDecimal(text) == nil ? "null" : "\"\(text)\""
            default: "null"
            }
        }
        setResult("[" + items.joined(separator: ",") + "]")
    }
}

extension JSONNode {
    /// Text that is equal for values that are equal: members in the order of their names, numbers without redundant
    /// zeros, instants in UTC, without null members.
    func canonical(_ kind: EdmPrimitiveType?) -> String {
        switch content {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let digits): EdmDecimal(digits)?.description ?? digits
        case .string(let text) where kind == .decimal || kind == .int64:
            EdmDecimal(text)?.description ?? Self.quoted(text)
        case .string(let text): Self.quoted(Self.canonical(text, kind))
        case .array(let elements): "[" + elements.map { $0.canonical(kind) }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.filter { !$0.node.isNull && !$0.name.contains("@") }.sorted { $0.name < $1.name }
                .map { Self.quoted($0.name) + ":" + $0.node.canonical(nil) }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: EdmValue.string(text).jsonText, as: UTF8.self)
    }

    private static func canonical(_ text: String, _ kind: EdmPrimitiveType?) -> String {
        switch kind {
        case .dateTimeOffset: EdmDateTimeOffset(text)?.utc.description ?? text
        case .guid: text.lowercased()
        case .duration: EdmDuration(text)?.description ?? text
        case .timeOfDay: EdmTimeOfDay(text)?.description ?? text
        default: text
        }
    }
}
