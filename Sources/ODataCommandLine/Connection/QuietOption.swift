import ArgumentParser

/// The `--quiet` option.
struct QuietOption: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print no progress, notices and messages; errors all the same.")
    var quiet = false

    func validate() throws {
        if quiet { Console.beQuiet() }
    }
}
