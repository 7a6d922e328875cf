import ArgumentParser
import Foundation

struct BenchDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download entities of 20 properties into an offline store, beside three other ways.",
        discussion: """
            A local source of ready-made pages is started as a process of its own. In turn, each in a process of its \
            own, work: this package; (a) SQLite alone, with rows already parsed, by prepared statements into the \
            same table; (b) curl, Python's json and sqlite3.executemany; (c) JSONDecoder and GRDB records. Build \
            with -c release to get figures that count.

            EXAMPLE: odata bench download --rows 180000 --keys guid
            """)

    @Option(help: "How many entities.") var rows = 180_000
    @Option(help: "Entities in a page.") var page = 1000
    @Option(help: "integer or guid.") var keys: BenchKeys = .integer
    @Option(help: "How many times each contender runs; the median counts.") var rounds = 3

    func validate() throws {
        guard rows > 0, page > 0, rounds > 0 else { throw ValidationError("The numbers must be above zero.") }
    }

    func run() async throws {
        let source = try BenchProcess([
            "bench", "source", "--rows", "\(rows)", "--page", "\(page)", "--keys", keys.rawValue,
        ])
        defer { source.stop() }
        guard let root = source.nextLine() else { throw Failure("The source did not start.") }
        Console.message("\(rows) entities with \(keys.rawValue) keys in pages of \(page), \(rounds) rounds")
        var figures: [BenchContender: [BenchFigure]] = [:]
        for round in 1...rounds {
            for contender in BenchContender.available {
                Console.message("round \(round): \(contender.title)")
                figures[contender, default: []].append(try contender.measure(root: root, keys: keys))
            }
        }
        print(figures)
    }

    private func print(_ figures: [BenchContender: [BenchFigure]]) {
        let medians = figures.mapValues { $0.sorted { $0.seconds < $1.seconds }[$0.count / 2] }
        let ours = medians[.ours]?.seconds
        var table = ResultTable(columns: ["contender", "seconds", "rows/s", "MB/s of JSON", "peak MB", "ours is"])
        let bytes = medians[.ours]?.bytes ?? 0
        for contender in BenchContender.available {
            guard let figure = medians[contender], let ours else { continue }
            table.rows.append([
                contender.title, String(format: "%.2f", figure.seconds),
                String(format: "%.0f", Double(rows) / figure.seconds),
                String(format: "%.0f", Double(bytes) / 1e6 / figure.seconds),
                String(format: "%.0f", Double(figure.peakKilobytes) / 1000),
                String(format: "%.2f ×", figure.seconds / ours),
            ])
        }
        table.print(as: .table)
    }
}

/// The kind of key that the entities have.
enum BenchKeys: String, ExpressibleByArgument, CaseIterable {
    case integer
    case guid
}

/// What one run of one contender took.
struct BenchFigure: Codable {
    var seconds: Double
    /// The largest resident size of its process.
    var peakKilobytes: Int
    /// Bytes of JSON that were read.
    var bytes: Int
}
