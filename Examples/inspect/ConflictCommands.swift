import ArgumentParser
import Inspection

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show what was changed here, and meanwhile at the service too.",
        discussion: "'inspect decide' takes the number at the start of the line, and which of the two versions to keep."
    )

    @OptionGroup var place: Place

    func run() async throws {
        try await place.reading { work in
            for conflict in try await work.conflicts() { show(conflict) }
        }
    }

    private func show(_ conflict: OpenConflict) {
        print(conflict.id, conflict.entity, terminator: "")
        print(conflict.isDeletedHere ? ", deleted here" : "", terminator: "")
        print(conflict.isDeletedThere ? ", deleted at the service" : "")
        for difference in conflict.differences {
            let (before, mine, theirs) = (difference.before, difference.mine, difference.theirs)
            print("    \(difference.property): \(mine ?? "-") here, \(theirs ?? "-") there, \(before ?? "-") before")
        }
    }
}

struct DecideCommand: AsyncParsableCommand {
    enum Side: String, ExpressibleByArgument, CaseIterable {
        case mine
        case theirs
    }

    static let configuration = CommandConfiguration(
        commandName: "decide", abstract: "Settle a conflict; the next sync does the rest.",
        discussion: "EXAMPLE: inspect decide 3 mine && inspect sync")

    @OptionGroup var place: Place

    @Argument(help: "The number of the conflict, as 'inspect conflicts' shows it.")
    var conflict: Int64

    @Argument(help: "mine is sent over the version of the service; theirs gives up what was changed here.")
    var side: Side

    func run() async throws {
        try await place.changing { work in
            switch side {
            case .mine: try await work.keepMine(conflict)
            case .theirs: try await work.takeTheirs(conflict)
            }
        }
    }
}

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Settle a conflict property by property; the next sync does the rest.",
        discussion: "EXAMPLE: inspect merge 3 Remarks && inspect sync")

    @OptionGroup var place: Place

    @Argument(help: "The number of the conflict, as 'inspect conflicts' shows it.")
    var conflict: Int64

    @Argument(help: "The properties that keep the values of this device; all others get those of the service.")
    var properties: [String]

    func run() async throws {
        try await place.changing { try await $0.merge(conflict, keeping: Set(properties)) }
    }
}
