import ArgumentParser
import OData

/// The `--deep-inserts` option.
struct DeepInsertOption: ParsableArguments {
    @Option(
        help: "How new entities with nested ones are sent: \(DeepInsertForm.allValueStrings.joined(separator: ", ")).")
    var deepInserts = DeepInsertForm.automatic
}

extension DeepInsertForm: ExpressibleByArgument {
    /// `change-set`
    public var defaultValueDescription: String { self == .changeSet ? "change-set" : rawValue }

    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }

    public init?(argument: String) {
        guard let form = Self.allCases.first(where: { $0.defaultValueDescription == argument }) else { return nil }
        self = form
    }
}
