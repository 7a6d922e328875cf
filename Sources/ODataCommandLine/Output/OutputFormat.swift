import ArgumentParser

/// How a result is printed.
enum OutputFormat: Equatable {
    case json
    case table
    case csv
    /// CSV in which a spreadsheet takes no text for a formula.
    case safeCSV

    var isCSV: Bool { self == .csv || self == .safeCSV }

    /// What cells have of values with parts: CSV all, tables what a person can take in.
    var nested: ResultTable.Nested { isCSV ? .json : .summary }
}

extension OutputFormat: ExpressibleByArgument {
    private static let names: [(name: String, format: OutputFormat)] = [
        ("json", .json), ("table", .table), ("csv", .csv),
    ]

    static var allValueStrings: [String] { names.map(\.name) }

    init?(argument: String) {
        guard let format = Self.names.first(where: { $0.name == argument })?.format else { return nil }
        self = format
    }
}

/// The `--format` option.
struct FormatOption: ParsableArguments {
    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: "json, table or csv (RFC 4180). A table on a terminal and JSON elsewhere, if not given.")
    var named: OutputFormat?

    @Flag(
        name: .customLong("safe-csv"),
        help: "CSV with a ' before text that a spreadsheet would take for a formula: --format csv keeps all as it is."
    )
    var safeCSV = false

    func validate() throws {
        guard !safeCSV || named == nil || named == .csv else {
            throw ValidationError("--safe-csv is for --format csv.")
        }
    }

    /// Nil if none was given.
    var format: OutputFormat? { safeCSV ? .safeCSV : named }

    /// Whether a count becomes a JSON object: only with `--format json`.
    var wrapsCounts: Bool { format == .json }

    var resolved: OutputFormat { format ?? (Terminal.output.isTerminal ? .table : .json) }
}
