#if canImport(SwiftUI)
    import Inspection
    import SwiftUI

    @main
    struct InspectionApp: App {
        @State private var model = InspectionModel()

        var body: some Scene {
            WindowGroup {
                NavigationStack { InspectionList(model: model) }
                    .task { await model.follow() }
                    .alert("It did not work", isPresented: $model.hasMessage) {
                    } message: {
                        Text(model.message ?? "")
                    }
            }
        }
    }

    extension InspectionModel {
        fileprivate var hasMessage: Bool {
            get { message != nil }
            set { if !newValue { message = nil } }
        }
    }
#endif
