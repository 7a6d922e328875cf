import ODataModel
import ODataQuery
import ODataSQLite

extension OfflineModel {
    /// Reads entities with the instance annotations that `preference` asks for.
    func executor(annotations preference: String?) -> QueryExecutor {
        let selection = preference.map { AnnotationSelection($0) }
        let wanted = LocalFunction.annotations.filter { selection?.includes($0.name) == true }
        guard !wanted.isEmpty else { return executor }
        return QueryExecutor(model: model, mapping: schema.annotating(wanted))
    }

    /// The functions in `query` that only the store can answer.
    func localFunctions(of query: BoundQuery) -> [QualifiedName] {
        QuerySets(query).operations
            .filter { name in model.operations(named: name).contains { LocalFunction($0) != nil } }
            .sorted { "\($0)" < "\($1)" }
    }
}
