import ODataMetadata
import ODataModel
import ODataQuery

extension JSONPayload {
    /// Reads the parameters of an action: `{"Rate":5,"Reviewer":{"@odata.id":"People(1)"}}`. Entities are complex
    /// values; those that exist already have a member `@odata.id`.
    ///
    /// An empty body is one without parameters.
    /// [OData-Protocol, section 11.5.5.1; OData-JSON, section 18]
    ///
    /// - Throws: ``FormatError`` naming a parameter that is unknown, absent though needed, or of another type.
    package static func parameters(
        _ bytes: [UInt8], of operation: EdmOperationDeclaration, model: EdmModel, limits: PayloadLimits = .default
    ) throws(FormatError) -> EdmComplexValue {
        guard bytes.contains(where: { $0 > 0x20 }) else {
            return try completed(EdmComplexValue(), operation, offset: 0)
        }
        let node = try parsed(bytes[...], limits: limits)
        guard let members = node.members else {
            throw FormatError("The parameters of an action are an object, not \(node.kind).", offset: node.offset)
        }
        let decoder = ValueDecoder(model: model, source: bytes[...], isStrict: true, subject: "parameter")
        var values = EdmComplexValue()
        for member in members where !member.name.contains("@") {
            guard let parameter = operation.arguments.first(where: { $0.name == member.name }) else {
                let names = operation.arguments.map(\.name)
                let hint = nearestName(to: member.name, in: names).map { " Did you mean \($0)?" } ?? ""
                throw FormatError(
                    "\(operation.name) has no parameter \(member.name).\(hint)", offset: member.offset)
            }
            do {
                values[member.name] = try decoder.value(member.node, type: parameter.type, name: member.name)
            } catch {
                throw FormatError(error)
            }
        }
        return try completed(values, operation, offset: node.offset)
    }

    private static func completed(
        _ values: EdmComplexValue, _ operation: EdmOperationDeclaration, offset: Int
    ) throws(FormatError) -> EdmComplexValue {
        for parameter in operation.arguments where !parameter.isNullable {
            let value = values[parameter.name]
            guard value?.isNull != true, value != nil || parameter.isOptional else {
                throw FormatError(
                    "The parameter \(parameter.name) of \(operation.name) is needed.", offset: offset,
                    property: parameter.name)
            }
        }
        return values
    }
}
