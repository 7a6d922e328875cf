import Foundation

/// A way to get pages of JSON into SQLite.
enum BenchContender: String, CaseIterable {
    case ours
    case prepared
    case indexed
    case python
    case decoder

    var title: String {
        switch self {
        case .ours: "this package"
        case .prepared: "(a) SQLite alone, index made afterwards"
        case .indexed: "(a') SQLite alone, index kept meanwhile"
        case .python: "(b) curl, Python json, executemany"
        case .decoder: "(c) JSONDecoder, GRDB records"
        }
    }

    /// All, without Python where `python3` or `curl` is missing.
    static var available: [BenchContender] {
        let found = ["python3", "curl"].allSatisfy { name in
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
                .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
        return allCases.filter { found || $0 != .python }
    }

    func measure(root: String, data: BenchData, work: BenchWork) throws -> BenchFigure {
        let process =
            self == .python
            ? try BenchProcess(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", BenchPython.script, root])
            : try BenchProcess(
                ["bench", "contender", rawValue, "--source", root] + data.arguments + work.arguments)
        let line = process.nextLine()
        guard process.finish() == 0, let line,
            let figure = try? JSONDecoder().decode(BenchFigure.self, from: Data(line.utf8))
        else { throw Failure("\(title) failed.") }
        return figure
    }
}

/// The contender that needs no Swift. curl gets all pages in one process, over one connection.
enum BenchPython {
    static let script = #"""
        import json, os, resource, sqlite3, subprocess, sys, tempfile, time
        root = sys.argv[1]
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            db = sqlite3.connect(os.path.join(folder, "rows.db"))
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            curl = subprocess.Popen(["curl", "-s", root + "Pages"], stdout=subprocess.PIPE)
            pages = int(curl.stdout.read())
            curl = subprocess.Popen(
                ["curl", "-s", "-w", "\n", root + "Rows?page=[0-%d]" % (pages - 1)], stdout=subprocess.PIPE)
            names, size = None, 0
            for line in curl.stdout:
                size += len(line)
                rows = json.loads(line)["value"]
                if names is None:
                    names = [name for name in rows[0] if "@" not in name]
                    columns = ", ".join('"%s"' % name for name in names)
                    db.execute("CREATE TABLE Rows (%s, PRIMARY KEY (ID))" % columns)
                    insert = "INSERT INTO Rows VALUES (%s)" % ", ".join("?" * len(names))
                db.executemany(insert, [tuple(row[name] for name in names) for row in rows])
                db.commit()
            seconds = time.monotonic() - start
            db.close()
            curl.wait()
        cpu = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps(
            {"seconds": seconds, "processorSeconds": cpu, "peakKilobytes": peak, "bytes": size}))
        """#
}
