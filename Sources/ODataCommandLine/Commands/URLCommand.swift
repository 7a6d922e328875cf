import ArgumentParser

struct URLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Understand OData URLs.",
        discussion: "EXAMPLE: echo 'Products?$filter=Price gt 20' | odata url parse",
        subcommands: [URLParseCommand.self])
}
