import ArgumentParser
import Foundation

struct BenchDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download entities of 20 properties into an offline store, beside other ways.",
        discussion: """
            A local source of ready-made pages is started as a process of its own. In turn, each in a process of its \
            own, work: this package; (a) SQLite alone, with rows already parsed, by prepared statements into the \
            same table, whose unique index is made afterwards; (a') the same with the index kept meanwhile; (b) curl, \
            Python's json and sqlite3.executemany; (c) JSONDecoder and GRDB records. Other forms than plain, and \
            other steps than first, are measured without the others. Build with -c release to get figures that \
            count.

            EXAMPLE: odata bench download --rows 180000 --keys guid
            EXAMPLE: odata bench download --rows 180000 --changes 10000 --step changes
            """)

    @OptionGroup var data: BenchData
    @OptionGroup var work: BenchWork
    @Option(help: "How many times each contender runs; the median counts.") var rounds = 3

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("The numbers must be above zero.") }
        guard work.step != .changes || data.changes > 0 else {
            throw ValidationError("--step changes needs --changes.")
        }
        guard work.step != .again || data.changes == 0 else {
            throw ValidationError("--step again compares everything: leave --changes out.")
        }
    }

    private var contenders: [BenchContender] {
        data.form == .plain && work.step == .first ? BenchContender.available : [.ours]
    }

    func run() async throws {
        let source = try BenchProcess(["bench", "source"] + data.arguments)
        defer { source.stop() }
        guard let root = source.nextLine() else { throw Failure("The source did not start.") }
        Console.message(
            "\(data.rows) entities with \(data.keys.rawValue) keys in pages of \(data.page), \(rounds) rounds")
        var figures: [BenchContender: [BenchFigure]] = [:]
        for round in 1...rounds {
            for contender in contenders {
                Console.message("round \(round): \(contender.title)")
                figures[contender, default: []].append(try contender.measure(root: root, data: data, work: work))
            }
        }
        print(figures)
    }

    private func print(_ figures: [BenchContender: [BenchFigure]]) {
        let medians = figures.mapValues { $0.sorted { $0.seconds < $1.seconds }[$0.count / 2] }
        let ours = medians[.ours]?.seconds
        var table = ResultTable(columns: [
            "contender", "seconds", "CPU s", "rows/s", "MB/s of JSON", "peak MB", "ours is",
        ])
        let bytes = medians[.ours]?.bytes ?? 0
        let rows = work.step == .changes ? data.changes : data.rows
        for contender in contenders {
            guard let figure = medians[contender], let ours else { continue }
            table.rows.append([
                contender.title, String(format: "%.2f", figure.seconds),
                String(format: "%.2f", figure.processorSeconds),
                String(format: "%.0f", Double(rows) / figure.seconds),
                String(format: "%.0f", Double(bytes) / 1e6 / figure.seconds),
                String(format: "%.0f", Double(figure.peakKilobytes) / 1000),
                String(format: "%.2f ×", figure.seconds / ours),
            ])
        }
        table.print(as: .table)
    }
}

/// What the store does.
struct BenchWork: ParsableArguments {
    @Flag(help: "Encrypt the store; the others are not encrypted.") var encrypted = false
    @Option(help: "first: the first download; again: the second one, which compares; changes: one of changes.")
    var step: BenchStep = .first

    var arguments: [String] { ["--step", step.rawValue] + (encrypted ? ["--encrypted"] : []) }
}

/// What one run of one contender took.
struct BenchFigure: Codable {
    var seconds: Double
    /// The time of its processors.
    var processorSeconds: Double
    /// The largest resident size of its process.
    var peakKilobytes: Int
    /// Bytes of JSON that were read.
    var bytes: Int
}
