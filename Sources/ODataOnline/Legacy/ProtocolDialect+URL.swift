import ODataFormats
import ODataQuery
import ODataStores

extension ProtocolDialect {
    /// The URL of `query` relative to the service root.
    ///
    /// - Throws: ``ODataError`` with code `notImplemented` naming what the version cannot say.
    func url(of query: BoundQuery) throws -> String {
        do throws(QueryError) {
            guard isLegacy else { return try query.version4URL() }
            var query = query
            let isData = query.path.suffix == nil || query.path.suffix == .ref
            if usesFormatOption, isData, query.options.format == nil { query.options.format = formatOption }
            return try query.legacyURL()
        } catch {
            throw ODataError(error)
        }
    }

    /// The URL of `path` relative to the service root.
    ///
    /// - Throws: ``ODataError`` with code `notImplemented` naming what the version cannot say.
    func url(of path: ResourcePath) throws -> String {
        guard isLegacy else { return path.url }
        do throws(QueryError) {
            return try path.legacyURL()
        } catch {
            throw ODataError(error)
        }
    }

    /// The text of a reference; a path that the version cannot say is written as V4 has it, and so refused there.
    func url(of reference: EntityReference) -> String {
        guard isLegacy, case .path(let path) = reference else { return reference.url }
        return (try? path.legacyURL()) ?? path.url
    }

    /// `return=minimal`, `return-no-content` before V4.
    func preference(_ preference: ChangeRequest.ReturnPreference) -> String {
        guard isLegacy else { return "return=\(preference.rawValue)" }
        return preference == .representation ? "return-content" : "return-no-content"
    }
}

extension ODataError {
    /// A request that the version of the service has no words for.
    init(_ error: QueryError) {
        self.init(error.code == .notImplemented ? .notImplemented : .badRequest, error.message, cause: error)
    }
}
