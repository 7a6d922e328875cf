import ODataModel
import ODataQuery

/// The values of a query that its statement takes as parameters, and the query without them.
///
/// These are the values of key predicates, and literals that a condition of `$filter` compares with something else.
/// Whether a statement really is the same for all values of a kind is for ``StatementTemplate`` to find out.
package struct QueryParameters: Sendable {
    /// The most parameters of a query; further values belong to the shape.
    private static let most = 32

    /// The query with a sample in the place of each value: the same for all queries that differ in these values only.
    package private(set) var shape: BoundQuery
    /// In the order of their places in the query.
    package private(set) var values: [EdmValue] = []
    /// The samples of ``values``.
    private(set) var samples: [EdmValue] = []

    package init(_ query: BoundQuery) {
        shape = query
        for index in query.path.segments.indices {
            guard case .key(let key) = query.path.segments[index] else { continue }
            shape.path.segments[index] = .key(parameterized(key))
        }
        if let filter = query.options.filter { shape.options.filter = parameterized(filter) }
    }

    private mutating func parameterized(_ key: EntityKey) -> EntityKey {
        var components = key.components
        for index in components.indices {
            if let sample = parameter(components[index].value) { components[index].value = sample }
        }
        return EntityKey(components)
    }

    private mutating func parameterized(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .binary(let sign, let left, let right) where sign.isLogical:
            return .binary(sign, parameterized(left), parameterized(right))
        case .binary(let sign, let left, .literal(let value, let type)) where sign.isOrderOrEquality && !left.isLiteral:
            return parameter(value).map { .binary(sign, left, .literal($0, type)) } ?? expression
        case .binary(let sign, .literal(let value, let type), let right)
        where sign.isOrderOrEquality && !right.isLiteral:
            return parameter(value).map { .binary(sign, .literal($0, type), right) } ?? expression
        case .not(let operand): return .not(parameterized(operand))
        case .lambda(let sign, let path, let variable, let predicate?):
            return .lambda(sign, path, variable: variable, predicate: parameterized(predicate))
        default: return expression
        }
    }

    /// The sample of a value that is now a parameter; nil for a value that belongs to the shape.
    private mutating func parameter(_ value: EdmValue) -> EdmValue? {
        guard values.count < Self.most, let sample = value.sample(at: values.count) else { return nil }
        values.append(value)
        samples.append(sample)
        return sample
    }
}

extension QueryExpression {
    fileprivate var isLiteral: Bool { if case .literal = self { true } else { false } }
}

extension BinaryOperator {
    fileprivate var isOrderOrEquality: Bool { isComparison && self != .has }
}

extension EdmValue {
    /// A value of the same kind that is not to be expected in a query, another one at each position. Values that are
    /// translated in different ways are of different kinds. Nil for values that must be translated themselves.
    fileprivate func sample(at position: Int) -> EdmValue? {
        switch self {
        case .string: .string("odata$value\(position)")
        case .integer(let value):
            .integer((Int32(exactly: value) == nil ? 6_148_914_691_236_517_000 : 1_431_655_000) + Int64(position))
        case .double(let value): value.isFinite ? .double(1_431_655_000.1 + Double(position)) : nil
        case .decimal(let value): .decimal(value.sample(at: position))
        case .guid: .guid(EdmGuid(high: 0x6F64_6174_6124_7661, low: UInt64(position)))
        case .date(let value): value.sample(at: position).map(EdmValue.date)
        case .dateTimeOffset(let value): value.sample(at: position).map(EdmValue.dateTimeOffset)
        case .null, .boolean, .binary, .timeOfDay, .duration, .enumeration, .geo, .complex, .collection: nil
        }
    }
}

extension EdmDecimal {
    /// A decimal that is a number of SQLite exactly if this one is.
    fileprivate func sample(at position: Int) -> EdmDecimal {
        let isExact = ColumnCodec.decimalNumber.comparand(for: .decimal(self)) != nil
        let whole = 1_431_655_000 + Int64(position)
        return (isExact ? nil : EdmDecimal("\(whole).1")) ?? EdmDecimal(whole)
    }
}

extension EdmDate {
    fileprivate func sample(at position: Int) -> EdmDate? {
        hasPlainYear ? EdmDate(year: 3001 + position, month: 3, day: 4) : nil
    }
}

extension EdmDateTimeOffset {
    /// An instant with as many digits of a second, in the same time zone.
    fileprivate func sample(at position: Int) -> EdmDateTimeOffset? {
        guard hasPlainYear else { return nil }
        let picosecond = utc.time.picosecond
        let digits = [0, 3, 6].first { picosecond % InstantFormat.unit(ofDigits: $0) == 0 }
        let fraction: Int64 =
            switch digits {
            case 0: 0
            case 3: 123_000_000_000
            case 6: 123_456_000_000
            default: 123_456_789_012
            }
        return EdmDateTimeOffset(
            secondsSinceEpoch: 32_503_766_645 + Int64(position) * 86_400, picosecond: fraction,
            offsetMinutes: offsetMinutes)
    }
}
