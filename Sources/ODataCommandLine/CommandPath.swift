import ArgumentParser

/// The command that arguments lead to, as far as they name one.
struct CommandPath {
    /// `odata store read`
    var text: String { names.joined(separator: " ") }
    /// The first argument that is in the place of a subcommand and does not name one.
    private(set) var misfit: String?
    private var names = ["odata"]
    private var subcommands: [any ParsableCommand.Type] = ODataCommand.configuration.subcommands

    init(_ arguments: [String]) {
        for argument in arguments {
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                misfit = subcommands.isEmpty || argument.hasPrefix("-") ? nil : argument
                return
            }
            names.append(argument)
            subcommands = next.configuration.subcommands
        }
    }

    /// The subcommand that was meant; nil where none is like what was typed.
    var meant: String? {
        guard let misfit else { return nil }
        let limit = misfit.count < 4 ? 1 : 2
        let near = subcommands.filter { $0.configuration.shouldDisplay }.map { name in
            (name: name._commandName, distance: Self.distance(misfit, name._commandName))
        }
        return near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
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
