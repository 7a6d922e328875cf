import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.5 to 5.1.1.9]
extension ExpressionTranslator {
    func call(_ function: CanonicalFunction, _ arguments: [Term]) throws -> Term {
        switch (function, arguments.count) {
        case (.now, 0): return try Term(literal: .dateTimeOffset(context.now))
        case (.mindatetime, 0): return Term(.bound(.text("0001-01-01T00:00:00")), .instantText, isNullable: false)
        case (.maxdatetime, 0):
            return Term(.bound(.text("9999-12-31T23:59:59.999999999999")), .instantText, isNullable: false)
        case (_, 1...3):
            if arguments.contains(where: { $0.literal == .null }) { return Term("NULL", .text) }
            return try call(function, first: arguments[0], rest: Array(arguments.dropFirst()))
        default: throw Self.unsupported("\(function.rawValue) with \(arguments.count) arguments")
        }
    }

    private func call(_ function: CanonicalFunction, first: Term, rest: [Term]) throws -> Term {
        switch (function, rest.count) {
        case (.length, 0): return Term(.call("length", [first.sql]), .integer)
        case (.tolower, 0), (.toupper, 0), (.trim, 0):
            return Term(.call("odata_\(function.rawValue)", [first.sql]), .text)
        case (.round, 0), (.floor, 0), (.ceiling, 0):
            let codec = first.codec == .durationText ? ColumnCodec.integer : first.codec
            return Term(.call("odata_\(function.rawValue)", [first.sql]), codec)
        case (.year, 0), (.month, 0), (.day, 0), (.hour, 0), (.minute, 0), (.second, 0), (.totaloffsetminutes, 0):
            return Term(.call("odata_\(function.rawValue)", [first.instantText]), .integer)
        case (.fractionalseconds, 0):
            return Term(.call("odata_fractionalseconds", [first.instantText]), .decimalText)
        case (.totalseconds, 0): return Term(.call("odata_totalseconds", [first.sql]), .decimalText)
        case (.date, 0): return Term(.call("odata_date", [first.instantText]), .date)
        case (.time, 0): return Term(.call("odata_time", [first.instantText]), .timeOfDay)
        case (.substring, 1), (.substring, 2): return substring(first, rest)
        case (_, 1): return try call(function, first, rest[0])
        default: throw Self.unsupported("\(function.rawValue) with \(rest.count + 1) arguments")
        }
    }

    private func call(_ function: CanonicalFunction, _ first: Term, _ second: Term) throws -> Term {
        let text = first.sql
        let part = second.sql
        switch function {
        case .concat: return Term((text + " || " + part).parenthesised, .text)
        case .contains: return Term((.call("instr", [text, part]) + " > 0").parenthesised, .boolean)
        case .indexof: return Term((.call("instr", [text, part]) + " - 1").parenthesised, .integer)
        case .startswith: return Term(prefix(first, second), .boolean)
        case .endswith:
            let tail = SQLFragment.call("substr", [text, "-length(" + part + ")"])
            let isEmpty = ("length(" + part + ") = 0 AND " + text + " IS NOT NULL").parenthesised
            return Term((isEmpty + " OR " + tail + " = " + second.collated).parenthesised, .boolean)
        case .matchesPattern: return Term(.call("odata_matches", [text, part]), .boolean)
        default: throw Self.unsupported("\(function.rawValue) with 2 arguments")
        }
    }

    /// `startswith(Name,'Ab')` is the range from `Ab` up to `Ac`, so that an index serves it.
    private func prefix(_ text: Term, _ prefix: Term) -> SQLFragment {
        if case .string(let start) = prefix.literal, let end = Self.successor(of: start) {
            let low = text.collated + " >= " + .bound(.text(start))
            return (low + " AND " + text.collated + " < " + .bound(.text(end))).parenthesised
        }
        let head = SQLFragment.call("substr", [text.sql, "1", .call("length", [prefix.sql])])
        return (head + " = " + prefix.collated).parenthesised
    }

    /// The first text in code point order that does not start with `prefix`; nil if there is none.
    private static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        guard let last = scalars.popLast() else { return nil }
        guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { return nil }
        scalars.append(next)
        return String(String.UnicodeScalarView(scalars))
    }

    /// Positions from 0; a negative start counts from the end.
    private func substring(_ text: Term, _ rest: [Term]) -> Term {
        let numbers = rest.map { term -> Int64? in if case .integer(let value) = term.literal { value } else { nil } }
        guard numbers.allSatisfy({ ($0 ?? -1) >= 0 && ($0 ?? 0) < .max }) else {
            return Term(.call("odata_substring", [text.sql] + rest.map(\.sql)), .text)
        }
        var positions = numbers.compactMap { $0 }
        if !positions.isEmpty { positions[0] += 1 }
        return Term(.call("substr", [text.sql] + positions.map { .bound(.integer($0)) }), .text)
    }
}
