import Inspection
import ODataUI
import SwiftUI

/// The four screens. `entityCollections` gives them the store, whose entities `@Fetched` reads.
struct Screens: View {
    @Bindable var model: InspectionModel
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
        Group {
            if model.isOpen { tabs } else { opening }
        }
        .entityCollections(model.work.field.collections)
        .task { await model.open() }
        .onChange(of: scenePhase) { _, phase in
            if phase == .background { Task { await model.enterBackground() } }
        }
        .alert("It did not work", isPresented: $model.hasMessage) {
            Button("OK") {}
        } message: {
            Text(model.message ?? "")
        }
    }

    private var tabs: some View {
        TabView {
            NavigationStack { WorkOrderList(model: model) }
                .tabItem { Label("Work", systemImage: "list.bullet") }
            NavigationStack { StateMap(model: model) }
                .tabItem { Label("States", systemImage: "square.grid.3x3.fill") }
            NavigationStack { QueueView(model: model) }
                .tabItem { Label("Queue", systemImage: "arrow.up.circle") }
                .badge(model.sync.queueLength)
            NavigationStack { ConflictList(model: model) }
                .tabItem { Label("Conflicts", systemImage: "arrow.triangle.branch") }
                .badge(model.conflicts.count)
        }
        .task(id: model.conflictSigns) { await model.readConflicts() }
    }

    /// Seen the first time, until the service has sent its metadata.
    private var opening: some View {
        ContentUnavailableView {
            Label("No data yet", systemImage: "icloud.and.arrow.down")
        } description: {
            Text("The first start needs the service.")
        } actions: {
            Button("Try again") { Task { await model.open() } }
        }
    }
}

extension InspectionModel {
    fileprivate var hasMessage: Bool {
        get { message != nil }
        set { if !newValue { message = nil } }
    }
}
