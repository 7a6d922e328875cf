import ArgumentParser

/// How a result is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case table
    case csv
}

/// The `--format` option.
struct FormatOption: ParsableArguments {
    @Option(help: "json, table or csv. A table on a terminal and JSON elsewhere, if not given.")
    var format: OutputFormat?

    var resolved: OutputFormat { format ?? (Terminal.output.isTerminal ? .table : .json) }
}
