#if canImport(SwiftUI) && canImport(ImageIO)
    import CoreGraphics
    import Foundation
    import ImageIO
    import OData
    import SwiftUI

    /// Shows the image of a stream: a placeholder at first, then the thumbnail, which is read when the view appears.
    public struct MediaImageView<Placeholder: View>: View {
        private let image: MediaImage
        private let placeholder: (ODataError?) -> Placeholder

        /// - Parameter placeholder: What is shown without an image; it gets the error, nil where nothing was read yet.
        public init(_ image: MediaImage, @ViewBuilder placeholder: @escaping (ODataError?) -> Placeholder) {
            (self.image, self.placeholder) = (image, placeholder)
        }

        public var body: some View {
            Group {
                if let decoded {
                    Image(decorative: decoded, scale: 1).resizable().scaledToFit()
                } else {
                    placeholder(image.error)
                }
            }
            .task(id: ObjectIdentifier(image)) { await image.loadThumbnail() }
        }

        private var decoded: CGImage? {
            guard let picture = image.picture,
                let source = CGImageSourceCreateWithData(Data(picture.bytes) as CFData, nil)
            else { return nil }
            return CGImageSourceCreateImageAtIndex(source, 0, nil)
        }
    }

    extension MediaImageView where Placeholder == Image {
        /// With a symbol for a placeholder.
        public init(_ image: MediaImage) {
            self.init(image) { Image(systemName: $0 == nil ? "photo" : "xmark.octagon") }
        }
    }
#endif
