import Inspection
import OData
import ODataUI
import SwiftUI

/// The work orders that are not done, most urgent first: the list follows all changes by itself.
struct WorkOrderList: View {
    let model: InspectionModel
    @Fetched({ $0.openWorkOrders }) private var orders

    var body: some View {
        List(orders) { order in
            NavigationLink(value: order.id) { WorkOrderRow(order: order, photos: model.work.field.photos) }
        }
        .animation(.default, value: orders)
        .overlay {
            if orders.isEmpty, let fraction = model.sync.fraction { ProgressView(value: fraction) }
        }
        .refreshable { await model.sendNow() }
        .navigationTitle("Work orders")
        .navigationDestination(for: EntityID.self) { WorkOrderDetail(model: model, id: $0) }
    }
}

private struct WorkOrderRow: View {
    let order: WorkOrders
    let photos: EntityCollection<Photos>

    var body: some View {
        HStack {
            thumbnail.frame(width: 56, height: 56)
            VStack(alignment: .leading) {
                Text(order.title)
                HStack {
                    Label(order.state, systemImage: "circle.fill").foregroundStyle(order.color)
                    Text("\(order.inspections?.count ?? 0) inspections, \(order.photos.count) photos")
                    if order.hasPendingChanges { Image(systemName: "arrow.up.circle") }
                }
                .font(.caption)
                .foregroundStyle(.secondary)
            }
        }
    }

    @ViewBuilder private var thumbnail: some View {
        if let photo = order.photos.first {
            PhotoView(photo, in: photos, fitting: 168).id(photo.id)
        } else {
            Image(systemName: "wrench.and.screwdriver").foregroundStyle(.secondary)
        }
    }
}

extension WorkOrders {
    /// The states of a work order, in their order.
    static let states = ["open", "started", "done"]

    /// That of its state.
    var color: Color {
        switch state {
        case "open": .orange
        case "started": .blue
        case "done": .green
        default: .gray
        }
    }
}
