import ArgumentParser

/// The kind of key that the entities have.
enum BenchKeys: String, ExpressibleByArgument, CaseIterable {
    case integer
    case guid
}

/// What the service of the benchmark has and what the store asks of it.
enum BenchForm: String, ExpressibleByArgument, CaseIterable {
    /// One set.
    case plain
    /// The same entities in 20 sets, each with a defining query of its own.
    case sets
    /// A tenth of the entities, each with nine expanded ones of another set.
    case expand
    /// One set in which every second entity is of a derived type.
    case derived

    /// The sets that the store downloads.
    var sets: [String] {
        self == .sets ? (1...20).map { "Rows\($0)" } : ["Rows"]
    }

    /// The expanded entities of each entity.
    var related: Int { self == .expand ? 9 : 0 }

    /// The text of the defining query of a set.
    func query(of set: String) -> String {
        self == .expand ? "\(set)?$expand=Parts" : set
    }
}

/// What the store does while the clock runs.
enum BenchStep: String, ExpressibleByArgument, CaseIterable {
    /// The first download.
    case first
    /// The second download, which compares everything.
    case again
    /// The second download, which receives changed entities.
    case changes
}

/// The options that the benchmark and its source have in common.
struct BenchData: ParsableArguments {
    @Option(help: "How many entities.") var rows = 180_000
    @Option(help: "Entities in a page.") var page = 1000
    @Option(help: "integer or guid.") var keys: BenchKeys = .integer
    @Option(
        help: """
            plain: one set; sets: 20 sets; expand: a tenth of the entities, each with nine that it expands; derived: \
            every second entity is of a derived type.
            """)
    var form: BenchForm = .plain
    @Option(help: "How many changed entities a second download receives by a delta link.") var changes = 0

    func validate() throws {
        guard rows > 0, page > 0, changes >= 0 else { throw ValidationError("The numbers must be above zero.") }
        let least = max(changes, form.sets.count * (1 + form.related))
        guard rows >= least else { throw ValidationError("--rows must be at least \(least) here.") }
        guard changes == 0 || form == .plain || form == .derived else {
            throw ValidationError("--changes needs the form plain or derived.")
        }
    }

    var arguments: [String] {
        [
            "--rows", "\(rows)", "--page", "\(page)", "--keys", keys.rawValue, "--form", form.rawValue, "--changes",
            "\(changes)",
        ]
    }
}
