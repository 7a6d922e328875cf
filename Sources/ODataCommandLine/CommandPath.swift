import ArgumentParser

/// The command that arguments lead to, as far as they name one.
struct CommandPath {
    /// `odata store read`
    var text: String { names.joined(separator: " ") }
    /// The first argument that is in the place of a subcommand and does not name one.
    private(set) var misfit: String?
    private var names = ["odata"]
    private var subcommands: [any ParsableCommand.Type] = ODataCommand.configuration.subcommands

    /// - Parameter areNames: Whether all arguments are names of commands, as those of `odata help` are.
    init(_ arguments: [String], areNames: Bool = false) {
        for argument in arguments {
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                misfit = argument.hasPrefix("-") || subcommands.isEmpty && !areNames ? nil : argument
                return
            }
            names.append(argument)
            subcommands = next.configuration.subcommands
        }
    }

    /// `See 'odata store --help' for more information.`
    var help: String { "See '\(text) --help' for more information." }

    /// The command that was meant, in full; nil where none is like what was typed.
    var meant: String? {
        guard let misfit else { return nil }
        let limit = misfit.count < 4 ? 1 : 2
        let near = Self.shown(subcommands).map { command in
            (name: command._commandName, distance: Self.distance(misfit, command._commandName))
        }
        let nearest = near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
        return nearest.map { "\(text) \($0)" } ?? Self.path(to: misfit, below: ODataCommand.self, ["odata"])
    }

    /// `'odata store raed' is not a command: did you mean 'odata store read'?`; nil if all names are commands.
    var mistake: String? {
        guard let misfit else { return nil }
        let start = "'\(text) \(misfit)' is not a command"
        return meant.map { "\(start): did you mean '\($0)'?" } ?? start + "."
    }

    /// What is wrong in `odata help stroe` or `odata stroe --help`; nil where the topic is a command.
    static func mistake(inHelpOf arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        let path = CommandPath(isHelp ? Array(arguments.dropFirst()) : arguments, areNames: isHelp)
        return path.mistake.map { "\($0)\n\(path.help)" }
    }

    private static func shown(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
        commands.filter { $0.configuration.shouldDisplay }
    }

    /// The first command of this name, wherever it is.
    private static func path(
        to name: String, below command: any ParsableCommand.Type, _ names: [String]
    ) -> String? {
        let children = shown(command.configuration.subcommands)
        guard !children.contains(where: { $0._commandName == name }) else {
            return (names + [name]).joined(separator: " ")
        }
        return children.lazy.compactMap { path(to: name, below: $0, names + [$0._commandName]) }.first
    }

    /// How many characters are wrong, missing, too many, or changed places with their neighbour.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for (i, character) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                var least = min(rows[i][j] + (character == other ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, character == second[j - 1], first[i - 1] == other {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
