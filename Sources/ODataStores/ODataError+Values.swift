import ODataModel

extension ODataError {
    /// What `check` gives; what it refuses is the caller's mistake.
    package static func checking<Result>(
        _ check: () throws(ValueCheck.Problem) -> Result
    ) throws(ODataError) -> Result {
        do { return try check() } catch { throw ODataError(.badRequest, error.message) }
    }
}
