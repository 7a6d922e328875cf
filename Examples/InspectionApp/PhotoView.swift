#if canImport(SwiftUI)
    import ImageIO
    import Inspection
    import SwiftUI

    /// A thumbnail, which comes from the device, also of a photo that was not sent yet.
    struct PhotoView: View {
        let model: InspectionModel
        let photo: Photos
        @State private var image: CGImage?

        var body: some View {
            Group {
                if let image {
                    Image(decorative: image, scale: 2).resizable().scaledToFit()
                } else {
                    Image(systemName: "photo")
                }
            }
            .frame(maxHeight: 200)
            .task(id: photo.entityID) {
                guard let bytes = await model.thumbnail(of: photo),
                    let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil)
                else { return }
                image = CGImageSourceCreateImageAtIndex(source, 0, nil)
            }
        }
    }
#endif
