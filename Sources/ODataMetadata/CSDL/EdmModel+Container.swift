import ODataModel

extension EdmModel {
    /// The model with all its sets and imports in a container: a document has no place for them elsewhere. Those of a
    /// schema without one stand in the first container that there is, or in one that is made.
    var inContainer: EdmModel {
        var schemas = self.schemas
        let loose = schemas.indices.filter { index in
            let schema = self.schemas[index]
            return schema.container == nil && !(schema.entitySets.isEmpty && schema.operationImports.isEmpty)
        }
        guard let first = loose.first else { return self }
        let home = schemas.firstIndex { $0.container != nil } ?? first
        schemas[home].container = schemas[home].container ?? "Container"
        for index in loose where index != home {
            schemas[home].entitySets += schemas[index].entitySets
            schemas[home].operationImports += schemas[index].operationImports
            schemas[index].entitySets = []
            schemas[index].operationImports = []
        }
        return EdmModel.lenient(schemas: schemas, references: references).model
    }
}
