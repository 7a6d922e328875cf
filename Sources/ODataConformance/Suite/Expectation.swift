import ODataQuery
import ODataStores

/// What a request is expected to give.
enum Expectation: Sendable {
    /// Entities with these keys, in any order: `1 2 4`.
    case keys(String)
    /// Entities with these keys, in this order.
    case sequence(String)
    /// Entities as text, one per line, in this order; `#4` before them for a count. Also a value or a count.
    case lines([String])
    /// A navigation property or property without a value.
    case nothing
    /// An error with one of these codes whose message contains a text.
    case error([ODataError.Code], naming: String)

    static func line(_ line: String) -> Expectation { .lines([line]) }

    static let missing = Expectation.error([.notFound], naming: "")

    /// An error in the request, with the part that is at fault.
    static func mistake(_ name: String) -> Expectation { .error([.badRequest, .notFound], naming: name) }

    /// Not supported; the error names it.
    static func unsupported(_ name: String) -> Expectation { .error([.notImplemented], naming: name) }

    func check(_ what: String, _ action: () async throws -> ConformanceResponse) async throws {
        let response: ConformanceResponse
        do {
            response = try await action()
        } catch let error as ODataError {
            return try check(what, code: error.code, "\(error)")
        } catch let error as QueryError {
            return try check(what, code: ODataError.Code(error), "\(error)")
        }
        let (expected, found) = comparison(with: response)
        guard expected == found else {
            throw ConformanceFailure(expected: "as \(what) \(expected)", found: found)
        }
    }

    private func comparison(with response: ConformanceResponse) -> (String, String) {
        switch self {
        case .keys(let keys):
            let found = response.keys.map { $0.sorted(by: Self.precedes) } ?? response.lines
            return (keys, found.joined(separator: " "))
        case .sequence(let keys): return (keys, (response.keys ?? response.lines).joined(separator: " "))
        case .lines(let lines): return (lines.joined(separator: "\n"), response.lines.joined(separator: "\n"))
        case .nothing: return ("nothing", response.lines.joined(separator: "\n"))
        case .error(let codes, let name):
            return ("the error \(Self.names(codes)) naming \"\(name)\"", response.lines.joined(separator: "\n"))
        }
    }

    private func check(_ what: String, code: ODataError.Code, _ message: String) throws {
        guard case .error(let codes, let name) = self else {
            throw ConformanceFailure(expected: "an \(what)", found: "\(code.name): \(message)")
        }
        guard codes.contains(code), name.isEmpty || message.contains(name) else {
            throw ConformanceFailure(
                expected: "as \(what) the error \(Self.names(codes)) naming \"\(name)\"",
                found: "\(code.name): \(message)")
        }
    }

    private static func names(_ codes: [ODataError.Code]) -> String {
        codes.map(\.name).joined(separator: " or ")
    }

    /// Numbers by value, all else as text.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let parts = (left.split(separator: ",").map(String.init), right.split(separator: ",").map(String.init))
        for (first, second) in zip(parts.0, parts.1) where first != second {
            guard let one = Int64(first), let other = Int64(second) else { return first < second }
            return one < other
        }
        return parts.0.count < parts.1.count
    }
}

extension ODataError.Code {
    /// How a store reports a URL that it does not understand.
    init(_ error: QueryError) {
        self = error.code == .notImplemented ? .notImplemented : .badRequest
    }
}
