import Foundation

/// A random run of apps with offline stores on one or two devices, over bad connections, in processes that are killed.
///
/// Its seed decides everything: what the apps do, whether they speak V4 or V2, how they decide conflicts, which requests
/// meet which faults, when which process is killed.
/// Afterwards the connections are good again, all devices upload and download until nothing moves any more, and then
///
/// - all devices and the service agree in all entities, relationships and streams, byte by byte;
/// - every change that a store accepted was executed once, or is in its error archive, or was undone;
/// - what is in the archive, or was undone, or was never requested, was not executed;
/// - of a change set all was executed, or nothing;
/// - the archive holds what the service refuses, and what waits for that;
/// - no file of the media folders belongs to nothing, and the databases pass `PRAGMA integrity_check`.
///
/// ```swift
/// let report = try await OfflineSimulation(seed: 7).run()
/// print(report.failures)
/// ```
public struct OfflineSimulation: Sendable {
    /// Decides all of the run.
    public var seed: UInt64

    /// A run that is not begun yet; see ``run()``.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// Runs to the end, in a temporary folder that is gone afterwards.
    ///
    /// - Throws: what keeps the run from being set up. What goes wrong in it is in the report.
    public func run() async throws -> SimulationReport {
        let folder = FileManager.default.temporaryDirectory.path + "/simulation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try await SimulationRun(seed: seed, folder: folder)
        return await run.run()
    }
}

/// What happened in a ``OfflineSimulation``.
public struct SimulationReport: Sendable {
    /// That of the run: with it the run can be repeated.
    public var seed: UInt64
    /// What the apps did and what became of it, one line each.
    public var steps: [String] = []
    /// By name, how many requests met which fault.
    public var faults: [String: Int] = [:]
    /// How many processes were killed.
    public var kills = 0
    /// What is not as it should be; empty for a sound run.
    public var failures: [String] = []

    package init(seed: UInt64, steps: [String] = [], failures: [String] = []) {
        self.seed = seed
        self.steps = steps
        self.failures = failures
    }
}
