import ArgumentParser

/// The root of the tool.
public struct ODataCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "odata",
        abstract: "Work with OData services, online and offline.",
        discussion: """
            Results go to standard output; what is on its way, notices and errors to standard error. Lines are \
            written over and coloured on a terminal only, and not with TERM=dumb; NO_COLOR and CLICOLOR=0 leave the \
            colours out, CLICOLOR_FORCE=1 has them elsewhere too. COLUMNS is preferred to what the terminal says of \
            its width. JSON has lines and colours on a terminal, and never elsewhere. With -q standard error has \
            errors only.

            'odata --generate-completion-script bash' prints what completes its commands and options in bash, \
            likewise zsh and fish. For an alias o, zsh and fish need nothing more; bash needs \
            'complete -o filenames -F _odata o'. In fish, a function that calls the tool has --wraps odata.

            Exit status: 0 success, 1 failure, 2 wrong usage, 3 done in part (some requests or streams failed).

            EXAMPLE: odata demo
            """,
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, ServeCommand.self, GetCommand.self, PostCommand.self, PatchCommand.self, PutCommand.self,
            DeleteCommand.self, MetadataCommand.self,
            GenerateCommand.self, URLCommand.self, StoreCommand.self, AttachmentsCommand.self, BenchCommand.self,
        ])

    public init() {}
}
