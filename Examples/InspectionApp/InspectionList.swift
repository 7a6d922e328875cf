#if canImport(SwiftUI)
    import Inspection
    import SwiftUI

    struct InspectionList: View {
        let model: InspectionModel

        var body: some View {
            List {
                if !model.conflicts.isEmpty {
                    NavigationLink("\(model.conflicts.count) to decide") { ConflictList(model: model) }
                }
                ForEach(model.inspections) { inspection in
                    NavigationLink {
                        InspectionDetail(model: model, id: inspection.entityID)
                    } label: {
                        row(inspection)
                    }
                }
            }
            .animation(.default, value: model.inspections)
            .navigationTitle("Inspections")
            .toolbar {
                Button("Sync (\(model.waiting.count))") { Task { await model.sync() } }.disabled(model.isSyncing)
            }
        }

        private func row(_ inspection: Inspections) -> some View {
            VStack(alignment: .leading) {
                Text(inspection.workOrder?.title ?? "")
                HStack {
                    Text(inspection.result ?? "open")
                    if let count = inspection.photos?.count, count > 0 { Label("\(count)", systemImage: "photo") }
                    if model.waiting.contains(where: { $0.entity == inspection.entityID }) {
                        Image(systemName: "arrow.up.circle")
                    }
                }
                .font(.caption)
                .foregroundStyle(.secondary)
            }
        }
    }
#endif
