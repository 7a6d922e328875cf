import Inspection
import OData
import ODataUI
import SwiftUI

/// What runs, what waits, and what the service has refused. The queue and the error archive are entity sets of the store:
/// `@Fetched` follows them as it does any other.
struct QueueView: View {
    let model: InspectionModel
    @Fetched({ $0["RequestQueue"].orderBy { $0["Position"] } }) private var requests
    @Fetched({ $0["ErrorArchive"].orderBy { $0["Occurred"] } }) private var refusals
    @State private var isUndoingAll = false

    var body: some View {
        List {
            SyncSection(model: model)
            if !refusals.isEmpty {
                Section("Refused") {
                    ForEach(refusals) { RefusalRow(model: model, refusal: $0) }
                }
            }
            Section("Requests") {
                ForEach(requests) { RequestRow(model: model, request: $0) }
                Button("Undo all changes") { isUndoingAll = true }.disabled(requests.isEmpty)
            }
        }
        .animation(.default, value: requests)
        .navigationTitle("Queue")
        .confirmationDialog("Undo \(requests.count) requests?", isPresented: $isUndoingAll) {
            Button("Undo all changes", role: .destructive) {
                Task { await model.trying { try await model.work.store.undo(.everything) } }
            }
        }
    }
}

private struct RequestRow: View {
    let model: InspectionModel
    let request: DynamicEntity

    var body: some View {
        VStack(alignment: .leading) {
            Text("\(request.text("Method")) \(request.text("URL"))")
            Text("\(request.text("State")) \(request.text("Body"))").font(.caption).foregroundStyle(.secondary)
        }
        .swipeActions {
            Button("Undo", role: .destructive) {
                guard let id = request.number("ID") else { return }
                Task { await model.trying { try await model.work.store.undo(.request(id)) } }
            }
        }
    }
}

private struct RefusalRow: View {
    let model: InspectionModel
    let refusal: DynamicEntity

    var body: some View {
        VStack(alignment: .leading) {
            Text("\(refusal.text("Method")) \(refusal.text("URL"))")
            Text("\(refusal.text("Status")) \(refusal.text("Message"))").font(.caption).foregroundStyle(.secondary)
            if isConflict { Label("See Conflicts", systemImage: "arrow.triangle.branch").font(.caption) }
        }
        .swipeActions {
            Button("Undo", role: .destructive) {
                repairing { try await model.work.store.undo(errorID: $0) }
            }
            // Of a conflict it would overwrite the newer version of the service.
            if !isConflict {
                Button("Retry") {
                    repairing {
                        try await model.work.store.retry(errorID: $0)
                        await model.sendNow()
                    }
                }
            }
        }
    }

    private var isConflict: Bool { model.conflicts.contains { $0.entity == refusal.text("Entity") } }

    private func repairing(_ repair: @escaping @MainActor (Int64) async throws -> Void) {
        guard let id = refusal.number("ID") else { return }
        Task { await model.settle { try await repair(id) } }
    }
}

extension DynamicEntity {
    /// A property as text; empty for null.
    fileprivate func text(_ property: String) -> String {
        self[property].flatMap { $0.isNull ? nil : $0.lexical } ?? ""
    }

    fileprivate func number(_ property: String) -> Int64? { self[property].flatMap(Int64.init(edm:)) }
}
