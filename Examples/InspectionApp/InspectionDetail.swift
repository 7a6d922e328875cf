#if canImport(SwiftUI)
    import Inspection
    import SwiftUI

    struct InspectionDetail: View {
        let model: InspectionModel
        let id: String?
        @State private var isChoosing = false

        /// As the list has it now.
        private var inspection: Inspections? { model.inspections.first { $0.entityID == id } }

        var body: some View {
            Form {
                if let inspection {
                    results(inspection)
                    Section("Photos") {
                        ForEach(inspection.photos ?? [], id: \.entityID) { photo in
                            VStack(alignment: .leading) {
                                PhotoView(model: model, photo: photo)
                                Text(photo.caption ?? "")
                            }
                        }
                        Button("Add a photo") { isChoosing = true }
                    }
                }
            }
            .navigationTitle(inspection?.workOrder?.title ?? "")
            .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.jpeg, .png, .heic]) { result in
                guard let inspection, let url = try? result.get() else { return }
                Task { await model.add(url, caption: url.deletingPathExtension().lastPathComponent, to: inspection) }
            }
        }

        private func results(_ inspection: Inspections) -> some View {
            Section("Result") {
                ForEach(["passed", "failed"], id: \.self) { result in
                    Button {
                        Task { await model.note(result, of: inspection) }
                    } label: {
                        Label(result, systemImage: inspection.result == result ? "checkmark.circle.fill" : "circle")
                    }
                }
            }
        }
    }
#endif
