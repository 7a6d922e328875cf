/// Text of an expression, with operands in it, which are named by what the place where it will stand needs.
///
/// ```swift
/// let text: ExpressionText = "geo.distance(\(shop.location),geography'POINT(8.5 47.4)') lt 500"
/// ```
///
/// Strings are put in as they are: as literals of OData they come from ``QueryOperand/constant(_:)``.
public struct ExpressionText: Sendable {
    indirect enum Piece: Sendable {
        case text(String)
        /// `Name` of an instance: `Name`, `a/Name`, `$it/Name`. Without a path the instance itself.
        case path(QueryScope, String)
        /// `any(a:a/Quantity gt 5)`, behind the path of a collection.
        case lambda(String, QueryScope, ExpressionText)
        /// `$count($filter=Quantity gt 5)`, behind the path of a collection.
        case count(QueryScope, ExpressionText)
    }

    private(set) var pieces: [Piece] = []

    init(_ pieces: [Piece] = []) { self.pieces = pieces }

    private mutating func append(_ text: String) {
        if case .text(let before)? = pieces.last {
            pieces[pieces.count - 1] = .text(before + text)
        } else if !text.isEmpty {
            pieces.append(.text(text))
        }
    }

    fileprivate mutating func append(_ piece: Piece) {
        if case .text(let text) = piece { append(text) } else { pieces.append(piece) }
    }
}

extension ExpressionText: ExpressibleByStringInterpolation {
    /// Gathers text and operands.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ExpressionText()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text.append(.text(literal)) }
        /// Text of OData, as it is.
        public mutating func appendInterpolation(_ other: String) { text.append(.text(other)) }
        /// A whole number.
        public mutating func appendInterpolation(_ number: Int) { text.append(.text("\(number)")) }
        /// An operand, in parentheses where it is more than a path or a call.
        public mutating func appendInterpolation<Wrapped>(_ operand: QueryOperand<Wrapped>) {
            appendInterpolation(operand.part(in: .primary))
        }
        package mutating func appendInterpolation(_ other: ExpressionText) {
            for piece in other.pieces { text.append(piece) }
        }
    }

    public init(stringLiteral text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}
