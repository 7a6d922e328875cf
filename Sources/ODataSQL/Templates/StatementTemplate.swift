import ODataModel
import ODataQuery

/// Translated statements, with what is needed to run them and to read what they return.
package protocol StatementPlan: Sendable {
    /// Calls `body` with each statement, always in the same order.
    mutating func updateStatements(_ body: (inout SQLStatement) throws -> Void) rethrows
}

extension SQLStatement: StatementPlan {
    package mutating func updateStatements(_ body: (inout SQLStatement) throws -> Void) rethrows { try body(&self) }
}

extension ValueStatement: StatementPlan {
    package mutating func updateStatements(_ body: (inout SQLStatement) throws -> Void) rethrows { try body(&sql) }
}

/// The statements of all queries of one shape: where the values of a query are among the bindings.
///
/// The translation does not know which values are parameters. Two translations are compared instead: that of a query and
/// that of its shape, at another time. Only if their texts are equal, and each binding that differs is a known form of a
/// parameter, other queries of the shape have the same statements. So what depends on a value (a text with escapes, a
/// number in a list, `now()`) is never shared.
package struct StatementTemplate<Plan: StatementPlan>: Sendable {
    /// A binding that has the value of a parameter.
    private struct Place: Sendable {
        let statement: Int
        let binding: Int
        let parameter: Int
        /// The forms that the sample does not distinguish; more than one only for instants.
        let forms: [ParameterForm]

        func binding(for value: EdmValue) -> SQLBinding? {
            guard let form = forms.first, let binding = form.binding(for: value),
                forms.dropFirst().allSatisfy({ $0.binding(for: value) == binding })
            else { return nil }
            return binding
        }
    }

    private let plan: Plan
    private let places: [Place]

    /// - Parameters:
    ///   - plan: The plan of the query that `parameters` is of.
    ///   - sample: The plan of `parameters.shape`.
    /// - Returns: Nil if queries of the shape may have other statements.
    package init?(_ plan: Plan, sample: Plan, parameters: QueryParameters) {
        let (own, other) = (plan.statements, sample.statements)
        let isDistinct = zip(parameters.values, parameters.samples).allSatisfy { $0 != $1 }
        guard isDistinct, own.count == other.count else { return nil }
        var forms: [SQLBinding: [(parameter: Int, form: ParameterForm)]] = [:]
        for (index, value) in parameters.samples.enumerated() {
            for form in ParameterForm.forms(of: value) {
                if let binding = form.binding(for: value) { forms[binding, default: []].append((index, form)) }
            }
        }
        var places: [Place] = []
        for (index, (statement, sample)) in zip(own, other).enumerated() {
            guard statement.text == sample.text, statement.bindings.count == sample.bindings.count else { return nil }
            for (position, (binding, sampled)) in zip(statement.bindings, sample.bindings).enumerated() {
                guard let known = forms[sampled], let parameter = known.first?.parameter else {
                    if binding == sampled { continue }
                    return nil
                }
                let value = parameters.values[parameter]
                let matching = known.filter { $0.parameter == parameter && $0.form.binding(for: value) == binding }
                guard !matching.isEmpty else { return nil }
                places.append(
                    Place(statement: index, binding: position, parameter: parameter, forms: matching.map(\.form)))
            }
        }
        // A value that is nowhere may have decided what the statement is.
        guard Set(places.map(\.parameter)).count == parameters.values.count else { return nil }
        self.plan = plan
        self.places = places
    }

    /// The plan for other values; nil if one has no form that its place takes.
    package func plan(for values: [EdmValue]) -> Plan? {
        guard !places.isEmpty else { return plan }
        var plan = plan
        var (statement, place) = (0, 0)
        var isComplete = true
        plan.updateStatements { sql in
            defer { statement += 1 }
            while place < places.count, places[place].statement == statement {
                let current = places[place]
                guard let binding = current.binding(for: values[current.parameter]) else {
                    isComplete = false
                    return
                }
                sql.bindings[current.binding] = binding
                place += 1
            }
        }
        return isComplete ? plan : nil
    }
}

extension StatementPlan {
    fileprivate var statements: [SQLStatement] {
        var (copy, statements) = (self, [SQLStatement]())
        copy.updateStatements { statements.append($0) }
        return statements
    }
}
