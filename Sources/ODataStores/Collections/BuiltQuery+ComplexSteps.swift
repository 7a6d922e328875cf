import ODataModel
import ODataQuery

extension BuiltQuery {
    /// Makes one step of a complex property and the navigation property in it, where both were given as navigation
    /// properties: `$expand=Address($expand=Country)` becomes `$expand=Address/Country`,
    /// `$expand=Address($select=City)` becomes `$select=Address/City`.
    ///
    /// [OData-URL, section 5.1.3]
    ///
    /// - Parameter type: Of what is asked for.
    mutating func joinComplexSteps(of type: EdmStructuredType, model: EdmModel) {
        expansions = expansions.flatMap { expansion in
            guard let target = type.target(of: expansion.navigation, model: model) else { return [expansion] }
            var joined = expansion
            joined.options.joinComplexSteps(of: target, model: model)
            guard target.kind == .complex else { return [joined] }
            select += joined.options.select.map { "\(expansion.navigation)/\($0)" }
            return joined.options.expansions.map { inner in
                var inner = inner
                inner.navigation = "\(expansion.navigation)/\(inner.navigation)"
                return inner
            }
        }
    }
}

extension EdmStructuredType {
    /// What a path of complex properties and navigation properties leads to: `Address/Country`.
    fileprivate func target(of path: String, model: EdmModel) -> EdmStructuredType? {
        path.split(separator: "/").reduce(self) { type, step in
            guard let type else { return nil }
            let name = String(step)
            if let navigation = type.navigationProperty(named: name) { return model.target(of: navigation) }
            switch type.property(named: name)?.type {
            case .complex(let name), .collection(.complex(let name)): return model.structuredType(named: name)
            default: return nil
            }
        }
    }
}
