import ODataModel
import ODataQuery

extension ChangeRequest {
    /// Whether the metadata say that the service carries out the request once, however often it comes with the same
    /// ``Repeatability``. What is said of an action counts before its import, and that and a set before the container.
    ///
    /// [Repeatable Requests 1.0; vocabulary Repeatability, term Supported]
    package func isRecognizedAgain(by model: Model) -> Bool {
        var elements: [any Annotated] = []
        if let call = target.lastCall {
            elements.append(call.operation)
            if let name = call.importName, let action = model.operationImport(named: name) { elements.append(action) }
        } else if let set = target.entitySet {
            elements.append(set)
        }
        let own = elements.lazy.compactMap { $0.annotation(Annotation.repeatability) }.first
        return own.map { $0 != .bool(false) } ?? model.recognizesRepeatedRequests
    }
}

extension Model {
    /// Whether the entity container has the annotation `Org.OData.Repeatability.V1.Supported`.
    package var recognizesRepeatedRequests: Bool {
        schemas.flatMap(\.containerAnnotations).contains {
            $0.term == Annotation.repeatability && $0.value != .bool(false)
        }
    }
}
