/// The checks that every store must pass.
///
/// Make a database with ``ConformanceSample/create(at:)``, serve it with the store, and run the checks, for example as
/// arguments of a parameterised test:
///
/// ```swift
/// @Test(arguments: ConformanceSuite.checks(for: [.madeKeys, .constraints]))
/// func conforms(check: ConformanceCheck) async throws {
///     try await check.run(on: makeStore())
/// }
/// ```
///
/// Checks that change data (``ConformanceCheck/changesData``) need a fresh sample each; the others can share one.
public enum ConformanceSuite {
    /// All checks.
    public static let checks: [ConformanceCheck] = reads + changes + streams

    /// The checks that a store with the given capabilities must pass.
    public static func checks(for capabilities: Set<ConformanceCapability>) -> [ConformanceCheck] {
        checks.filter { $0.needs.isSubset(of: capabilities) }
    }

    private static let reads: [ConformanceCheck] =
        FilterChecks.comparisons + FilterChecks.logic + FilterChecks.arithmetic + FilterChecks.paths
        + FunctionChecks.strings + FunctionChecks.dates + FunctionChecks.numbers + CollectionChecks.lambdas
        + ResultChecks.selections + ExpandChecks.expansions + ExpandChecks.references + ResultChecks.orders
        + ResultChecks.windows
        + PathChecks.entities + PathChecks.values + PathChecks.keys + PathChecks.preconditions + PageChecks.all
        + LanguageChecks.expressions + LanguageChecks.collections + LanguageChecks.paths + LanguageChecks.options
        + LanguageChecks.aggregations + LanguageChecks.hierarchies + RefusalChecks.unsupported + RefusalChecks.mistakes

    private static let changes: [ConformanceCheck] =
        CreateChecks.all + CreateChecks.refused + RelatedCreateChecks.all + RelatedCreateChecks.refused
        + UpdateChecks.all + UpdateChecks.refused + DeleteChecks.all
        + ReferenceChecks.all + ChangeSetChecks.all + DeltaChecks.all

    private static let streams: [ConformanceCheck] = StreamReadChecks.all + StreamChangeChecks.all
}
