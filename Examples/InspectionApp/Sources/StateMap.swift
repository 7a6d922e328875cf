import Inspection
import OData
import ODataUI
import SwiftUI

/// All work orders as coloured tiles, grouped by state. The entities of the sample have no coordinates for a geographic map.
struct StateMap: View {
    let model: InspectionModel
    @Fetched({ $0.workOrders }) private var orders

    var body: some View {
        ScrollView {
            LazyVGrid(columns: [GridItem(.adaptive(minimum: 48))]) {
                ForEach(groups, id: \.state) { state, orders in
                    Section {
                        ForEach(orders) { order in NavigationLink(value: order.id) { StateTile(order: order) } }
                    } header: {
                        Text("\(state): \(orders.count)").font(.headline)
                    }
                }
            }
            .padding()
        }
        .animation(.default, value: orders)
        .navigationTitle("States")
        .navigationDestination(for: EntityID.self) { WorkOrderDetail(model: model, id: $0) }
    }

    /// In the order of the states; states that the app does not know are last.
    private var groups: [(state: String, orders: [WorkOrders])] {
        let groups = Dictionary(grouping: orders, by: \.state)
        let others = groups.keys.filter { !WorkOrders.states.contains($0) }.sorted()
        return (WorkOrders.states + others).map { ($0, groups[$0] ?? []) }
    }
}

/// The number of a work order on the colour of its state, with a frame where changes wait.
private struct StateTile: View {
    let order: WorkOrders

    var body: some View {
        Text(String(order.workOrderID))
            .font(.caption)
            .foregroundStyle(.white)
            .frame(minWidth: 48, minHeight: 48)
            .background(order.color, in: RoundedRectangle(cornerRadius: 8))
            .overlay {
                if order.hasPendingChanges { RoundedRectangle(cornerRadius: 8).stroke(.primary, lineWidth: 3) }
            }
            .accessibilityLabel("\(order.title), \(order.state)")
    }
}
