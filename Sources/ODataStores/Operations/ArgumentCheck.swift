import ODataModel

/// Checks the values that a call gives the parameters of an operation.
package struct ArgumentCheck {
    let operation: EdmOperationDeclaration
    let model: EdmModel

    package init(operation: EdmOperationDeclaration, model: EdmModel) {
        self.operation = operation
        self.model = model
    }

    /// `values` with the parameters' types.
    ///
    /// - Throws: ``ODataError`` `badRequest` for a value that is missing or unknown, of another type, or that the facets
    ///   of its parameter forbid.
    package func checked(_ values: EdmComplexValue) throws(ODataError) -> EdmComplexValue {
        let parameters = operation.arguments
        for name in values.names where !parameters.contains(where: { $0.name == name }) {
            throw ODataError(.badRequest, "\(operation.name) has no parameter \(name).")
        }
        var checked = EdmComplexValue()
        for parameter in parameters {
            guard let value = values[parameter.name] else {
                if parameter.isOptional || (operation.kind == .action && parameter.isNullable) { continue }
                throw ODataError(.badRequest, "\(operation.name) needs its parameter \(parameter.name).")
            }
            checked[parameter.name] = try self.value(value, for: parameter)
        }
        return checked
    }

    private func value(_ value: EdmValue, for parameter: EdmOperationDeclaration.Parameter) throws(ODataError)
        -> EdmValue
    {
        let check = ValueCheck(model: model, allowsParts: true, subject: "parameter")
        var property = EdmProperty(name: parameter.name, type: parameter.type, isNullable: parameter.isNullable)
        property.facets = parameter.facets
        // A call may give null for a collection.
        if value.isNull, parameter.type.isCollection { return .null }
        let fitted = value.fitted(to: parameter.type, model) ?? value
        return try ODataError.checking { () throws(ValueProblem) in
            try check.value(fitted, for: property, at: parameter.name)
        }
    }
}

extension EdmValue {
    /// The value as one of `type`: whole numbers become decimals and doubles, text becomes an enumeration member, in
    /// complex values too; nil where there is no such value.
    fileprivate func fitted(to type: EdmTypeReference, _ model: EdmModel) -> EdmValue? {
        switch (self, type) {
        case (.null, _): return .null
        case (.collection(let values), .collection(let element)):
            let fitted = values.compactMap { $0.fitted(to: element, model) }
            return fitted.count == values.count ? .collection(fitted) : nil
        case (.collection, .primitive(.untyped)): return self
        case (.collection, _), (_, .collection): return nil
        case (.complex(let given), .complex(let name)): return .complex(given.fitted(to: name, model))
        case (.complex, .entity), (.complex, .primitive(.untyped)): return self
        case (.string(let text), .entity): return .complex(["@odata.id": .string(text)])
        case (.enumeration(_, let text), .enumeration(let name)), (.string(let text), .enumeration(let name)):
            return .enumeration(name, text)
        case (_, .primitive(let primitive)): return fitted(to: primitive)
        default: return nil
        }
    }

    private func fitted(to type: EdmPrimitiveType) -> EdmValue? {
        switch (self, type) {
        case (.integer(let number), .double), (.integer(let number), .single): .double(Double(number))
        case (.integer(let number), .decimal): EdmDecimal("\(number)").map(EdmValue.decimal)
        case (.integer(let number), _) where type.integerRange != nil:
            type.integerRange?.contains(number) == true ? self : nil
        case (.decimal(let number), .double), (.decimal(let number), .single):
            number.nearest(in: type).map { _ in .double(number.doubleValue) }
        case (.double(let number), .single): number.nearest(in: type).map { _ in self }
        case (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.string, .string),
            (.binary, .binary), (.guid, .guid), (.date, .date), (.dateTimeOffset, .dateTimeOffset),
            (.timeOfDay, .timeOfDay), (.duration, .duration), (_, .untyped), (_, .primitiveType):
            self
        case (.geo, _) where type.isGeospatial: self
        case (.string(let text), _) where type != .boolean:
            EdmValue(lexical: text, type: .primitive(type)).flatMap(PrimitiveFit(type: type).value)
        default: nil
        }
    }
}

extension EdmComplexValue {
    fileprivate func fitted(to name: EdmQualifiedName, _ model: EdmModel) -> EdmComplexValue {
        let type = model.structuredType(named: type ?? name)
        var fitted = self
        for member in members {
            guard let property = type?.property(named: member.name) else { continue }
            fitted[member.name] = member.value.fitted(to: property.type, model) ?? member.value
        }
        return fitted
    }
}
