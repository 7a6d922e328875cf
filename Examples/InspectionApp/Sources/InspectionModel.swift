import Foundation
import Inspection
import OData
import ODataUI
import Observation

/// The store, what synchronizes it, and the message for the user. Lists, images and the state of the synchronization are
/// objects of `ODataUI`, which follow the store by themselves.
@MainActor @Observable
final class InspectionModel {
    let work: FieldWork
    let sync: SyncStatus
    /// Whether the store has the metadata of the service.
    private(set) var isOpen = false
    /// What the user has to decide: read again by ``readConflicts()``.
    private(set) var conflicts: [OpenConflict] = []
    /// What went wrong last.
    var message: String?

    @ObservationIgnored private let scheduler: SyncScheduler
    /// Also in `project.yml`.
    private static let backgroundTask = "org.example.InspectionApp.sync"

    /// - Throws: `ODataError` where the folder of the store cannot be used.
    init() throws {
        let folder = URL.applicationSupportDirectory.appending(path: "inspections")
        let service = UserDefaults.standard.string(forKey: "service") ?? "http://127.0.0.1:8080/"
        work = try FieldWork(folder: folder.path, service: service)
        sync = SyncStatus(work.store)
        scheduler = SyncScheduler(store: work.store, network: SystemNetworkMonitor())
        scheduler.registerBackgroundTask(Self.backgroundTask)
    }

    /// Opens the store, which needs the service the first time, and lets the scheduler synchronize it from now on.
    func open() async {
        await trying {
            try await work.open()
            isOpen = true
            try await scheduler.start()
        }
    }

    func sendNow() async {
        await trying { try await scheduler.sync() }
    }

    /// Asks the system for a run in the background.
    func enterBackground() async {
        try? await scheduler.submitBackgroundTask(Self.backgroundTask)
    }

    /// What may have added a conflict, or removed one.
    var conflictSigns: [Int] { [sync.queueLength, sync.failedRequests, sync.state.isRunning ? 1 : 0] }

    func readConflicts() async {
        await trying { conflicts = try await work.conflicts() }
    }

    /// Resolves a conflict: `work.keepMine` and the like.
    func settle(_ resolution: () async throws -> Void) async {
        await trying(resolution)
        await readConflicts()
    }

    /// Shows the error of an action, unless the user has ended it.
    func trying(_ action: () async throws -> Void) async {
        do { try await action() } catch let error as ODataError {
            if error.code != .cancelled { message = error.message }
        } catch { message = error.localizedDescription }
    }
}
