import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// Conversions between values and their text in payloads.
    static let conversions: [(String, CInt, Implementation)] = [
        ("odata_as", 2, { SQLFunctionCall($0, $1, $2).typedValue() }),
        ("odata_lexical", 2, { SQLFunctionCall($0, $1, $2).lexicalForm() }),
        ("odata_member", -1, { SQLFunctionCall($0, $1, $2).jsonMember() }),
        ("odata_typename", 1, { SQLFunctionCall($0, $1, $2).typeName() }),
    ]
}

extension SQLFunctionCall {
    /// A value of any kind, or its text, converted to a primitive type; null for other text.
    fileprivate func typedValue() {
        guard kind(0) != SQLITE_NULL, let name = text(1), let type = EdmPrimitiveType(rawValue: name) else {
            return setResult(nil as Int64?)
        }
        setResult(converted(to: type) ?? .null)
    }

    private func converted(to type: EdmPrimitiveType) -> SQLBinding? {
        let source = binding(0)
        switch (source, type) {
        case (.text, .string): return source
        case (.integer(let number), .boolean): return number == 0 || number == 1 ? source : nil
        case (.integer(let number), _) where type.integerRange != nil:
            return type.integerRange?.contains(number) == true ? source : nil
        case (.integer(let number), .double), (.integer(let number), .single): return .real(Double(number))
        case (.integer(let number), .decimal): return .text("\(number)")
        case (.real, .double): return source
        case (.real(let number), .single): return number.nearest(in: .single).map(SQLBinding.real)
        case (.real(let number), .decimal): return EdmDecimal(number).map { .text($0.description) }
        case (.real(let number), _) where type.integerRange != nil:
            return Int64(exactly: number).flatMap { type.integerRange?.contains($0) == true ? .integer($0) : nil }
        case (.text(let text), _): return Self.parsed(text, type)
        case (.blob, .binary): return source
        default: return nil
        }
    }

    /// `2024-01-02T03:04:05` without an offset is an instant in UTC.
    private static func parsed(_ text: String, _ type: EdmPrimitiveType) -> SQLBinding? {
        let value: EdmValue?
        switch type {
        case .dateTimeOffset: value = TemporalText.instant(text).map(EdmValue.dateTimeOffset)
        case .decimal where text == "INF" || text == "-INF": return .text(text)
        case .single: value = Double(lexical: text, of: type)?.nearest(in: type).map(EdmValue.double)
        default: value = EdmValue(lexical: text, type: .primitive(type))
        }
        guard let value else { return nil }
        return try? ColumnCodec(value: value).binding(for: value)
    }

    /// A stored value of a type as text.
    fileprivate func lexicalForm() {
        guard kind(0) != SQLITE_NULL, let name = text(1), let type = EdmPrimitiveType(rawValue: name) else {
            return setResult(nil as Int64?)
        }
        setResult(lexical(type))
    }

    private func lexical(_ type: EdmPrimitiveType) -> String? {
        switch type {
        case .single: double(0).map { $0.isFinite ? "\(Float($0))".withoutZeroFraction : EdmValue.double($0).lexical }
        case .double: double(0).map { EdmValue.double($0).lexical }
        case .decimal: decimal(0)?.description ?? text(0)
        case .binary: kind(0) == SQLITE_BLOB ? EdmValue.binary(Array(bytes(0))).lexical : nil
        case .dateTimeOffset: instant(0)?.description
        case .date: text(0).flatMap { EdmDate($0)?.description }
        case .timeOfDay: text(0).flatMap { EdmTimeOfDay($0)?.description }
        case .duration: duration(0)?.description
        default: text(0)
        }
    }

    // MARK: JSON

    /// A member of a JSON object, numbers with all their digits as text.
    fileprivate func jsonMember() {
        guard let root = text(0), var node = try? JSONParser.parse(Array(root.utf8)[...]) else {
            return setResult(nil as Int64?)
        }
        for index in 1..<max(1, count) {
            guard let name = text(index), let next = node[name] else { return setResult(nil as Int64?) }
            node = next
        }
        switch node.content {
        case .number(let digits): setResult(digits)
        case .string(let text): setResult(text)
        case .boolean(let value): setResult(Int64(value ? 1 : 0))
        case .null: setResult(nil as Int64?)
        case .array, .object: setResult(String(decoding: Array(root.utf8)[node.range], as: UTF8.self))
        }
    }

    /// The name of the type that a complex value names, without `#`.
    fileprivate func typeName() {
        guard let root = text(0), let node = try? JSONParser.parse(Array(root.utf8)[...]),
            let name = node.control("type")?.string
        else { return setResult(nil as Int64?) }
        setResult(name.hasPrefix("#") ? String(name.dropFirst()) : name)
    }
}

extension ColumnCodec {
    /// The form of a value that functions return.
    fileprivate init(value: EdmValue) {
        switch value {
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .real
        case .decimal: self = .decimalText
        case .binary: self = .blob
        case .guid: self = .guidText
        case .date: self = .date
        case .dateTimeOffset: self = .instantText
        case .timeOfDay: self = .timeOfDay
        case .duration: self = .durationText
        case .geo, .complex, .collection: self = .json
        case .null, .string, .enumeration: self = .text
        }
    }
}

extension String {
    /// `2` for `2.0`.
    fileprivate var withoutZeroFraction: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
