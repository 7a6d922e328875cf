import ODataModel
import ODataQuery

extension ODataError {
    /// What `check` gives; what it refuses is the caller's mistake.
    package static func checking<Result>(
        _ check: () throws(ValueProblem) -> Result
    ) throws(ODataError) -> Result {
        do { return try check() } catch { throw refused(error) }
    }

    package static func undeclared(_ path: String, by type: EdmQualifiedName) -> ODataError {
        refused(ValueProblem(path, ValueProblem.isNotDeclared(by: type)))
    }

    /// A value that an app or a client must not set.
    package static func refused(_ problem: ValueProblem) -> ODataError { ODataError(.badRequest, problem.message) }
}

extension EdmProperty {
    /// The value that the bytes of a `$value` stand for: text, or the bytes themselves.
    ///
    /// - Throws: ``ODataError`` `badRequest` for text that does not stand for a value of the property's type.
    package func value(ofRaw bytes: [UInt8]) throws -> EdmValue {
        if type.primitive == .binary { return .binary(bytes) }
        if let text = String(validating: bytes, as: UTF8.self),
            let value = EdmValue(wellKnownText: text, type: type) ?? EdmValue(lexical: text, type: type)
        {
            return value
        }
        let text = EdmValue.string(String(decoding: bytes.prefix(400), as: UTF8.self))
        throw ODataError.refused(ValueProblem(name, ValueProblem.takes(type, not: text.shown)))
    }
}
