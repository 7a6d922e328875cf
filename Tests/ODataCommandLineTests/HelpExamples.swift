import ArgumentParser

@testable import ODataCommandLine

/// The examples in the help of the tool's commands.
enum HelpExamples {
    /// The lines of a command's examples as help shows them.
    ///
    /// - Parameter path: The names of the command and of those it belongs to, without `odata`.
    static func lines(of path: [String]) -> [String] {
        var command: any ParsableCommand.Type = ODataCommand.self
        for name in path { command = command.configuration.subcommands.first { $0._commandName == name } ?? command }
        return command.configuration.discussion.components(separatedBy: "\n").filter { line in
            line.hasPrefix("  ") || line.hasPrefix("EXAMPLE: ")
        }
    }

    /// What is to be typed: lines that a backslash joins are one.
    static func commands(of path: [String]) -> [String] {
        let text = lines(of: path).map { $0.hasPrefix("EXAMPLE: ") ? String($0.dropFirst(9)) : $0 }
            .joined(separator: "\n").replacing("\\\n", with: "").replacing("|\n", with: "|")
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init)
    }
}
