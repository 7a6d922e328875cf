import ArgumentParser
import Foundation
import GRDB
import OData
import ODataServer
import ODataService

/// A server in a process of its own.
final class ServiceProcess {
    let root: String
    private let process = Process()

    /// A service of streams.
    ///
    /// - Parameter database: One that ``StreamTables`` has written.
    convenience init(_ database: String, mediaFolder: String? = nil) throws {
        try self.init(["serve", database] + (mediaFolder.map { ["--media-folder", $0] } ?? []))
    }

    /// - Parameter arguments: A command of this tool that writes the URL of its server.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = Pipe()
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        root = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !root.isEmpty else { throw ValidationError("The service did not start.") }
    }

    var identifier: Int32 { process.processIdentifier }

    /// The largest resident size so far, in MB.
    var peak: Int { PeakMemory.megabytes(of: "\(process.processIdentifier)") }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// The tables of such a service: `Files`, to be filled, and `Pictures` of one length. Their keys count from 1.
enum StreamTables {
    static func write(_ path: String, files: Int, pictures: Int = 0, length: Int = 1) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            for (table, count, length) in [("Files", files, 1), ("Pictures", pictures, length)] {
                try db.execute(sql: "CREATE TABLE \(table)(ID INTEGER PRIMARY KEY, Content BLOB)")
                try db.execute(
                    sql: """
                        INSERT INTO \(table)
                        WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ?)
                        SELECT id, randomblob(?) FROM ids WHERE id <= ?
                        """, arguments: [count, length, count])
            }
        }
        try queue.close()
    }
}

/// What a ``ServiceProcess`` does that publishes a file.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

    @Argument var file: String
    @Option var mediaFolder: String?
    @Flag(inversion: .prefixedNo) var hasStreams = true

    func run() async throws {
        var configuration = SQLiteStore.Configuration()
        configuration.media = (hasStreams ? ["Files", "Pictures"] : []).map {
            MediaColumn(set: $0, column: "Content", contentType: "video/mp4")
        }
        configuration.mediaFolder = mediaFolder
        let server = try await ODataServer.start(
            service: ODataService(store: try SQLiteStore(path: file, configuration: configuration)))
        try ServiceProcess.run(at: server.rootURL)
        try await server.stop()
    }
}

extension ServiceProcess {
    /// Reports where the server of this process is, and returns when it is to end: the parent keeps standard input open
    /// and ends this process; if it dies, the input ends.
    static func run(at root: String) throws {
        FileHandle.standardOutput.write(Data((root + "\n").utf8))
        while try FileHandle.standardInput.read(upToCount: 1) != nil {}
    }
}
