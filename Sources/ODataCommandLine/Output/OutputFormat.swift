import ArgumentParser

/// How a result is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case table
    case csv

    /// What cells have of values with parts: CSV all, tables what a person can take in.
    var nested: ResultTable.Nested { self == .csv ? .json : .summary }
}

/// The `--format` option.
struct FormatOption: ParsableArguments {
    @Option(help: "json, table or csv (RFC 4180). A table on a terminal and JSON elsewhere, if not given.")
    var format: OutputFormat?

    /// Whether a count becomes a JSON object: only with `--format json`.
    var wrapsCounts: Bool { format == .json }

    var resolved: OutputFormat { format ?? (Terminal.output.isTerminal ? .table : .json) }
}
