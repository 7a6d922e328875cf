import ODataModel
import ODataQuery

extension EdmModel {
    /// Whether the metadata say that the service carries out a change of `target` once, however often it is sent with
    /// the same ``RepeatabilityHeaders``; nil where they say nothing. What is said of an action counts before its
    /// import, and that and a set before the container.
    ///
    /// [Repeatable Requests 1.0; vocabulary Repeatability, term Supported]
    package func recognizesRepetition(of target: ResourcePath) -> Bool? {
        var elements: [any EdmAnnotated] = []
        if let call = target.lastCall {
            elements.append(call.operation)
            if let name = call.importName, let action = operationImport(named: name) { elements.append(action) }
        } else if let set = target.entitySet {
            elements.append(set)
        }
        let own = elements.lazy.compactMap { $0.annotation(EdmAnnotation.repeatability) }.first
        return own.map { $0 != .bool(false) } ?? recognizesRepeatedRequests
    }

    /// What the entity container says with the annotation `Org.OData.Repeatability.V1.Supported`; nil if nothing.
    package var recognizesRepeatedRequests: Bool? {
        schemas.flatMap(\.containerAnnotations).first { $0.term == EdmAnnotation.repeatability }
            .map { $0.value != .bool(false) }
    }
}
