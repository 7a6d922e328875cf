#if canImport(ImageIO)
    import ByteStreams
    import CoreGraphics
    import Foundation
    import ImageIO
    import ODataStores
    import UniformTypeIdentifiers

    /// Thumbnails by Apple's frameworks: PNG, turned as the image says, never larger than it.
    public struct ImageIOThumbnailer: ThumbnailMaker {
        /// Longer images are refused: they are read into memory.
        public var limit = 256 << 20

        public init() {}

        public func thumbnail(of content: ByteContent, fitting pixels: Int) async throws -> ThumbnailImage {
            let bytes: [UInt8]
            do { bytes = try await content.collect(upTo: limit) } catch let error as ByteStreamError
                where error.code == .tooLong
            {
                throw ODataError(.tooLarge, "No thumbnails are made of more than \(limit) bytes.", cause: error)
            }
            let options: [CFString: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceThumbnailMaxPixelSize: pixels,
            ]
            let data = NSMutableData()
            guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil),
                let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary),
                let target = CGImageDestinationCreateWithData(data, UTType.png.identifier as CFString, 1, nil)
            else { throw ODataError.noImage }
            CGImageDestinationAddImage(target, image, nil)
            guard CGImageDestinationFinalize(target) else { throw ODataError.noImage }
            return ThumbnailImage(bytes: [UInt8](data as Data), contentType: "image/png")
        }
    }
#endif
