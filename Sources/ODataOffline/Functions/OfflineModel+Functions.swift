import ODataModel
import ODataQuery
import ODataSQLite

extension OfflineModel {
    /// The functions in `query` that only the store can answer.
    func localFunctions(of query: BoundQuery) -> [QualifiedName] {
        QuerySets(query).operations
            .filter { name in model.operations(named: name).contains { LocalFunction($0) != nil } }
            .sorted { "\($0)" < "\($1)" }
    }
}
