import Inspection
import OData
import PhotosUI
import SwiftUI
import UIKit

/// Adds a photo to an inspection, from the camera or the photo library. It is in the store at once, and its request waits.
struct PhotoCapture: View {
    let model: InspectionModel
    let inspection: Inspections
    @State private var isTaking = false
    @State private var chosen: PhotosPickerItem?

    var body: some View {
        if UIImagePickerController.isSourceTypeAvailable(.camera) {
            Button {
                isTaking = true
            } label: {
                Label("Take a photo", systemImage: "camera")
            }
            .fullScreenCover(isPresented: $isTaking) {
                CameraView { image in
                    isTaking = false
                    if let image { Task { await add(image) } }
                }
                .ignoresSafeArea()
            }
        }
        PhotosPicker(selection: $chosen, matching: .images) {
            Label("Choose a photo", systemImage: "photo.on.rectangle")
        }
        .onChange(of: chosen) { _, item in
            guard let item else { return }
            chosen = nil
            Task { await add(item) }
        }
    }

    private func add(_ image: UIImage) async {
        guard let data = image.jpegData(compressionQuality: 0.8) else { return }
        await add(data, type: "image/jpeg", name: "camera.jpg")
    }

    private func add(_ item: PhotosPickerItem) async {
        await model.trying {
            guard let data = try await item.loadTransferable(type: Data.self) else { return }
            let type = item.supportedContentTypes.lazy.compactMap(\.preferredMIMEType).first
            await add(data, type: type ?? "image/jpeg", name: "library")
        }
    }

    private func add(_ data: Data, type: String, name: String) async {
        let content = MediaContent(ByteContent([UInt8](data)), contentType: type)
        await model.trying {
            try await model.work.add(content, named: name, caption: "New photo", to: inspection)
        }
    }
}

/// The camera of the system.
private struct CameraView: UIViewControllerRepresentable {
    /// Gets nil where the user has cancelled.
    let finish: @MainActor (UIImage?) -> Void

    func makeUIViewController(context: Context) -> UIImagePickerController {
        let camera = UIImagePickerController()
        camera.sourceType = .camera
        camera.delegate = context.coordinator
        return camera
    }

    func updateUIViewController(_ camera: UIImagePickerController, context: Context) {}

    func makeCoordinator() -> Coordinator { Coordinator(finish) }

    final class Coordinator: NSObject, UIImagePickerControllerDelegate, UINavigationControllerDelegate {
        private let finish: @MainActor (UIImage?) -> Void

        init(_ finish: @escaping @MainActor (UIImage?) -> Void) { self.finish = finish }

        func imagePickerController(
            _ picker: UIImagePickerController,
            didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
        ) {
            finish(info[.originalImage] as? UIImage)
        }

        func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { finish(nil) }
    }
}
