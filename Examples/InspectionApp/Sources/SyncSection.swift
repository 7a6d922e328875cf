import OData
import ODataUI
import SwiftUI

/// The state of the synchronization, and a button that starts it now.
struct SyncSection: View {
    let model: InspectionModel

    private var sync: SyncStatus { model.sync }

    var body: some View {
        Section("Synchronization") {
            if let progress = sync.state.progress {
                ProgressView(value: progress.fraction) { Text(progress.description).font(.caption) }
            }
            if !sync.isConnected { Label("No network", systemImage: "wifi.slash") }
            if let requirement = sync.requirement {
                Label(requirement.advice, systemImage: "exclamationmark.triangle")
            }
            if let error = sync.error { Text(error.message).font(.caption) }
            LabeledContent("Waiting") { Text("\(sync.queueLength)") }
            LabeledContent("Refused") { Text("\(sync.failedRequests)") }
            if let last = sync.lastSuccess {
                LabeledContent("Up to date since") { Text(last, style: .relative) }
            }
            if let next = sync.nextAttempt {
                LabeledContent("Next run in") { Text(next, style: .relative) }
            }
            Button("Send now") { Task { await model.sendNow() } }.disabled(sync.state.isRunning)
        }
    }
}

extension SyncRequirement {
    /// What the user has to do.
    fileprivate var advice: String {
        switch self {
        case .signIn: "Sign in."
        case .conflict: "Resolve the conflicts."
        case .refusal: "Correct or undo the refused requests."
        case .permission, .queries: "The service does not return a part of the data: report it."
        case .rebuild: "The service has new metadata: the store has to be rebuilt."
        default: "The store cannot be used: report it."
        }
    }
}
