import ODataModel
import ODataQuery
import ODataSQLite

extension OfflineModel {
    /// The tables with the instance annotations that `preference` asks for; nil if it asks for none.
    func annotatingSchema(_ preference: String?) -> LocalSchema? {
        let selection = preference.map { AnnotationSelection($0) }
        let wanted = LocalFunction.annotations.filter { selection?.includes($0.name) == true }
        return wanted.isEmpty ? nil : schema.annotating(wanted)
    }

    /// The functions in `query` that only the store can respond.
    func localFunctions(of query: BoundQuery) -> [EdmQualifiedName] {
        QuerySets(query).operations
            .filter { name in model.operations(named: name).contains { LocalFunction($0) != nil } }
            .sorted { "\($0)" < "\($1)" }
    }
}
