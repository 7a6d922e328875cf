#if canImport(SwiftUI)
    import Foundation
    import Inspection
    import OData
    import Observation
    import PhotoFiles

    /// What the views show, and what they can do: a thin layer over `FieldWork`.
    @MainActor @Observable
    final class InspectionModel {
        private(set) var inspections: [Inspections] = []
        private(set) var waiting: [QueueEntry] = []
        private(set) var conflicts: [OpenConflict] = []
        private(set) var isSyncing = false
        /// What went wrong last.
        var message: String?

        @ObservationIgnored private var opening: Task<FieldWork, any Error>?
        @ObservationIgnored private var isFollowing = false

        /// Opens the store, and follows its list until the task ends: own changes, uploads and downloads.
        func follow() async {
            guard !isFollowing else { return }
            isFollowing = true
            defer { isFollowing = false }
            await trying {
                let work = try await opened()
                for await update in work.openInspections.updates {
                    inspections = try update.get().elements
                    try await look(at: work)
                }
            }
        }

        func note(_ result: String, of inspection: Inspections) async {
            await trying { try await opened().note(result, of: inspection) }
        }

        func add(_ photo: URL, caption: String, to inspection: Inspections) async {
            await trying {
                let isScoped = photo.startAccessingSecurityScopedResource()
                defer { if isScoped { photo.stopAccessingSecurityScopedResource() } }
                guard let file = PhotoFile(path: photo.path) else { return }
                _ = try await opened().add(file, caption: caption, to: inspection)
            }
        }

        func sync() async {
            isSyncing = true
            defer { isSyncing = false }
            await trying {
                let work = try await opened()
                let sent = try await work.sync().sent
                try await look(at: work)
                if let refused = sent.failed.first { message = refused.message }
                // The first opening may have failed for want of a network.
                Task { await follow() }
            }
        }

        func decide(_ conflict: OpenConflict, isMine: Bool) async {
            await trying {
                let work = try await opened()
                if isMine { try await work.keepMine(conflict.id) } else { try await work.takeTheirs(conflict.id) }
                try await look(at: work)
            }
        }

        /// Nil where there is none: the device may not have the photo.
        func thumbnail(of photo: Photos) async -> [UInt8]? {
            try? await opened().thumbnail(of: photo, fitting: 400)
        }

        private func look(at work: FieldWork) async throws {
            waiting = try await work.waiting()
            conflicts = try await work.conflicts()
        }

        private func opened() async throws -> FieldWork {
            if let opening { return try await opening.value }
            let folder = URL.applicationSupportDirectory.appending(path: "inspections")
            let service = UserDefaults.standard.string(forKey: "service") ?? "http://127.0.0.1:8080/"
            let task = Task { try await FieldWork(folder: folder.path, service: service) }
            opening = task
            do { return try await task.value } catch {
                opening = nil
                throw error
            }
        }

        private func trying(_ body: () async throws -> Void) async {
            do { try await body() } catch { message = "\(error)" }
        }
    }
#endif
