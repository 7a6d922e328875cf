import Inspection
import OData
import ODataUI
import SwiftUI

/// One work order, as it is now: its state, and its inspections with their photos.
struct WorkOrderDetail: View {
    let model: InspectionModel
    let id: EntityID
    @State private var order: FetchedEntity<WorkOrders>?

    var body: some View {
        Form {
            if let order = order?.value {
                Section("State") {
                    Choices(values: WorkOrders.states, chosen: order.state) { state in
                        await model.trying { try await model.work.set(state, of: order) }
                    }
                }
                ForEach(order.inspections ?? []) { InspectionSection(model: model, inspection: $0) }
            }
        }
        .navigationTitle(order?.value?.title ?? "")
        .task {
            guard order == nil else { return }
            order = FetchedEntity(id, in: model.work.field.collections.workOrders)
        }
    }
}

private struct InspectionSection: View {
    let model: InspectionModel
    let inspection: Inspections

    var body: some View {
        Section("Inspection \(String(inspection.inspectionID))") {
            if let remarks = inspection.remarks { Text(remarks) }
            Choices(values: ["passed", "failed"], chosen: inspection.result) { result in
                await model.trying { try await model.work.note(result, of: inspection) }
            }
            ForEach(inspection.photos ?? []) { photo in
                VStack(alignment: .leading) {
                    PhotoView(photo, in: model.work.field.photos, fitting: 800).frame(maxHeight: 200)
                    Text(photo.caption ?? "")
                }
            }
            PhotoCapture(model: model, inspection: inspection)
        }
    }
}

/// A button for each value, with a mark at the chosen one.
private struct Choices: View {
    let values: [String]
    let chosen: String?
    let choose: @MainActor (String) async -> Void

    var body: some View {
        ForEach(values, id: \.self) { value in
            Button {
                Task { await choose(value) }
            } label: {
                Label(value, systemImage: value == chosen ? "checkmark.circle.fill" : "circle")
            }
        }
    }
}
