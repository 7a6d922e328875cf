import SwiftUI

@main
struct InspectionApp: App {
    /// Made when the app launches: a background task has to be registered before the launch ends.
    @State private var model = Result { try InspectionModel() }

    var body: some Scene {
        WindowGroup {
            switch model {
            case .success(let model): Screens(model: model)
            case .failure(let error):
                ContentUnavailableView(
                    "The store cannot be opened", systemImage: "externaldrive", description: Text("\(error)"))
            }
        }
    }
}
