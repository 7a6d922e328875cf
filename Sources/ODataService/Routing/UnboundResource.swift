import HTTPTypes
import ODataModel
import ODataQuery

/// A URL that cannot be bound may still show that it takes no changes.
struct UnboundResource {
    let request: ServiceRequest
    let model: EdmModel
    let parser: QueryParser

    /// - Throws: 405 for a change of a function, whatever its parameters, and of `/$value` of an entity without a
    ///   stream, which takes no method at all.
    func checkMethod() throws {
        guard [.post, .put, .patch, .delete].contains(request.method) else { return }
        let path = request.parts.path
        if isFunction(path) {
            throw ServiceFailure.methodNotAllowed(request.method, allowed: [.get, .head, .options])
        }
        guard path.hasSuffix("/$value"), case .query(let query)? = try? parser.resource(String(path.dropLast(7))),
            query.path.target == .entity, query.path.suffix == nil
        else { return }
        throw ServiceFailure.methodNotAllowed(request.method, allowed: [])
    }

    private func isFunction(_ path: String) -> Bool {
        let isBound = path.contains("/")
        let last = path.split(separator: "/").last ?? ""
        let name = String(last.prefix { $0 != "(" })
        guard isBound else { return model.operationImport(named: name)?.kind == .function }
        return model.operations(named: EdmQualifiedName(name)).first?.kind == .function
    }
}
