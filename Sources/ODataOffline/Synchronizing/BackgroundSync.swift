#if canImport(BackgroundTasks) && !os(macOS)
    import BackgroundTasks

    /// Synchronization while the app is in the background.
    ///
    ///     scheduler.registerBackgroundTask("org.example.sync")     before the app has finished launching
    ///     try await scheduler.submitBackgroundTask("org.example.sync")     when the app enters the background
    ///
    /// The identifier is in the app's `BGTaskSchedulerPermittedIdentifiers`.
    extension SyncScheduler {
        /// Lets the system start a run in the background, whose end is that of the system's task. A run that the system
        /// ends early is continued by the next one.
        ///
        /// - Returns: False if the identifier is not permitted.
        @discardableResult
        public nonisolated func registerBackgroundTask(_ identifier: String) -> Bool {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                // The system gives the task to this closure alone; it may be completed on any thread.
                nonisolated(unsafe) let task = task
                task.expirationHandler = { Task { await self.interrupt() } }
                Task {
                    let isDone = await self.synchronizeInBackground()
                    try? await self.submitBackgroundTask(identifier)
                    task.setTaskCompleted(success: isDone)
                }
            }
        }

        /// Asks the system for a run in the background, not before the next attempt is due.
        ///
        /// - Throws: The error of `BGTaskScheduler`.
        public nonisolated func submitBackgroundTask(_ identifier: String) async throws {
            let request = BGProcessingTaskRequest(identifier: identifier)
            request.requiresNetworkConnectivity = true
            request.earliestBeginDate = store.syncBoard.state.nextAttempt
            try BGTaskScheduler.shared.submit(request)
        }

        private func synchronizeInBackground() async -> Bool {
            do {
                try await start()
                try await sync()
                return true
            } catch { return false }
        }
    }
#endif
