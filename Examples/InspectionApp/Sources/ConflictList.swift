import Inspection
import SwiftUI

/// The entities that were changed here, and meanwhile at the service too.
struct ConflictList: View {
    let model: InspectionModel

    var body: some View {
        List {
            ForEach(model.conflicts, id: \.self) { ConflictSection(model: model, conflict: $0) }
        }
        .overlay {
            if model.conflicts.isEmpty {
                ContentUnavailableView(
                    "No conflicts", systemImage: "checkmark.circle",
                    description: Text("No other user has changed the same entities."))
            }
        }
        .navigationTitle("Conflicts")
    }
}

/// One conflict. Properties that were changed here keep their values at first, as with "Keep mine"; the user can choose for
/// each.
private struct ConflictSection: View {
    let model: InspectionModel
    let conflict: OpenConflict
    @State private var kept: Set<String>

    init(model: InspectionModel, conflict: OpenConflict) {
        (self.model, self.conflict) = (model, conflict)
        _kept = State(initialValue: Set(conflict.differences.filter(\.isChangedHere).map(\.property)))
    }

    private var isDeleted: Bool { conflict.isDeletedHere || conflict.isDeletedThere }

    var body: some View {
        Section(conflict.entity) {
            if conflict.isDeletedHere { Label("Deleted here", systemImage: "trash") }
            if conflict.isDeletedThere { Label("Deleted at the service", systemImage: "trash") }
            if !isDeleted {
                ForEach(conflict.differences, id: \.property) { difference in
                    Picker(difference.property, selection: $kept[contains: difference.property]) {
                        Text("Mine: \(difference.mine ?? "null")").tag(true)
                        Text("Theirs: \(difference.theirs ?? "null")").tag(false)
                    }
                    .pickerStyle(.inline)
                }
                Button("Merge as chosen") { settle { try await model.work.merge(conflict.id, keeping: kept) } }
            }
            Button("Keep mine") { settle { try await model.work.keepMine(conflict.id) } }
            Button("Take theirs") { settle { try await model.work.takeTheirs(conflict.id) } }
        }
    }

    private func settle(_ resolution: @escaping @MainActor () async throws -> Void) {
        Task { await model.settle(resolution) }
    }
}

extension Set {
    /// Whether the element is among them.
    fileprivate subscript(contains element: Element) -> Bool {
        get { contains(element) }
        set { if newValue { insert(element) } else { remove(element) } }
    }
}
