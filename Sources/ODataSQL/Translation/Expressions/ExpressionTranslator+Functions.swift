import ODataModel
import ODataQuery

/// [OData-URL, sections 5.1.1.5 to 5.1.1.11]
extension ExpressionTranslator {
    func call(_ function: CanonicalFunction, _ arguments: [Term]) throws -> Term {
        switch (function, arguments.count) {
        case (.now, 0): return try Term(literal: .dateTimeOffset(context.now))
        case (.mindatetime, 0): return Term(.bound(.text("0001-01-01T00:00:00")), .instantText, isNullable: false)
        case (.maxdatetime, 0):
            return Term(.bound(.text("9999-12-31T23:59:59.999999999999")), .instantText, isNullable: false)
        case (_, 1...3):
            if arguments.contains(where: { $0.literal == .null }) { return .nothing(Self.codec(of: function)) }
            if arguments[0].isCollection || arguments.last?.isCollection == true,
                arguments.count > 1
                    || function == .length
            {
                return try collection(function, arguments)
            }
            return try call(function, first: arguments[0], rest: Array(arguments.dropFirst()))
        default: throw Self.unsupported("\(function.rawValue) with \(arguments.count) arguments")
        }
    }

    /// The codec of a function's result, for calls that return null.
    private static func codec(of function: CanonicalFunction) -> ColumnCodec {
        switch function {
        case .concat, .replace, .substring, .tolower, .toupper, .trim: .text
        case .contains, .endswith, .startswith, .matchesPattern, .hassubset, .hassubsequence, .geoIntersects: .boolean
        case .date: .date
        case .time: .timeOfDay
        case .now, .maxdatetime, .mindatetime: .instantText
        case .ceiling, .floor, .round, .fractionalseconds, .totalseconds: .decimalText
        case .geoDistance, .geoLength: .real
        default: .integer
        }
    }

    private func call(_ function: CanonicalFunction, first: Term, rest: [Term]) throws -> Term {
        switch (function, rest.count) {
        case (.length, 0): return Term(.call("odata_length", [string(first)]), .integer, type: .int32)
        case (.tolower, 0), (.toupper, 0), (.trim, 0):
            return Term(.call("odata_\(function.rawValue)", [string(first)]), .text, type: .string)
        case (.round, 0), (.floor, 0), (.ceiling, 0):
            let number = typed(first, as: .decimal)
            let type: EdmTypeReference? = number.isInteger ? .decimal : number.type
            return Term(.call("odata_\(function.rawValue)", [number.sql]), number.codec, type: type)
        case (.year, 0), (.month, 0), (.day, 0), (.hour, 0), (.minute, 0), (.second, 0), (.totaloffsetminutes, 0):
            return Term(.call("odata_\(function.rawValue)", [first.instantText]), .integer, type: .int32)
        case (.fractionalseconds, 0):
            return Term(.call("odata_fractionalseconds", [first.instantText]), .decimalText, type: .decimal)
        case (.totalseconds, 0): return Term(.call("odata_totalseconds", [first.sql]), .decimalText, type: .decimal)
        case (.date, 0): return Term(.call("odata_date", [first.instantText]), .date, type: .primitive(.date))
        case (.time, 0): return Term(.call("odata_time", [first.instantText]), .timeOfDay, type: .primitive(.timeOfDay))
        case (.geoLength, 0):
            return Term(.call("odata_geolength", [first.sql, geoFamily(first)]), .real, type: .double)
        case (.substring, 1), (.substring, 2): return try substring(first, rest)
        case (.replace, 2): return Term(.call("replace", ([first] + rest).map(string)), .text, type: .string)
        case (.matchesPattern, 2):
            return Term(condition: .call("odata_matches", ([first] + rest).map(string)))
        case (_, 1): return try call(function, first, rest[0])
        default: throw Self.unsupported("\(function.rawValue) with \(rest.count + 1) arguments")
        }
    }

    /// Functions on strings read untyped values as text if they are text.
    private func string(_ term: Term) -> SQLFragment { typed(term, as: .string).sql }

    private func call(_ function: CanonicalFunction, _ first: Term, _ second: Term) throws -> Term {
        let text = string(first)
        let part = string(second)
        switch function {
        case .concat: return Term(.call("odata_bounded", [text + " || " + part]), .text, type: .string)
        case .contains: return Term(condition: (.call("instr", [text, part]) + " > 0").parenthesised)
        case .indexof: return Term((.call("instr", [text, part]) + " - 1").parenthesised, .integer, type: .int32)
        case .startswith: return Term(condition: prefix(typed(first, as: .string), second))
        case .endswith:
            let tail = SQLFragment.call("odata_substring", [text, "-odata_length(" + part + ")"])
            let isEmpty = ("odata_length(" + part + ") = 0 AND " + text + " IS NOT NULL").parenthesised
            return Term(condition: (isEmpty + " OR " + tail + " = " + second.collated).parenthesised)
        case .matchesPattern: return Term(condition: .call("odata_matches", [text, part]))
        case .geoDistance:
            return Term(
                .call("odata_geodistance", [first.sql, second.sql, geoFamily(first, second)]), .real, type: .double)
        case .geoIntersects:
            return Term(condition: .call("odata_geointersects", [first.sql, second.sql, geoFamily(first, second)]))
        default: throw Self.unsupported("\(function.rawValue) with 2 arguments")
        }
    }

    /// `'plane'` for geometry, else `'ellipsoid'`.
    private func geoFamily(_ terms: Term...) -> SQLFragment {
        let isPlane = terms.contains { $0.type?.primitive?.rawValue.hasPrefix("Geometry") == true }
        return isPlane ? "'plane'" : "'ellipsoid'"
    }

    /// `startswith(Name,'Ab')` becomes the range from `Ab` up to `Ac`, so that an index can be used.
    private func prefix(_ text: Term, _ prefix: Term) -> SQLFragment {
        if case .string(let start) = prefix.literal, let end = Self.successor(of: start) {
            let low = text.collated + " >= " + .bound(.text(start))
            return (low + " AND " + text.collated + " < " + .bound(.text(end))).parenthesised
        }
        let head = SQLFragment.call("odata_substring", [text.sql, "0", .call("odata_length", [prefix.sql])])
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
    private func substring(_ text: Term, _ rest: [Term]) throws -> Term {
        let numbers = rest.map { term -> Int64? in if case .integer(let value) = term.literal { value } else { nil } }
        if numbers.count == 2, let length = numbers[1], length < 0 {
            throw QueryError(.typeMismatch, "The length of a substring cannot be negative: \(length).")
        }
        return Term(.call("odata_substring", [string(text)] + rest.map(\.sql)), .text, type: .string)
    }
}
