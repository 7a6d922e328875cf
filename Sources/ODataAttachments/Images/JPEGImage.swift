#if canImport(ImageIO)
    import ByteStreams
    import CoreGraphics
    import Foundation
    import ImageIO
    import ODataStores
    import UniformTypeIdentifiers

    #if canImport(UIKit)
        import UIKit
    #endif

    /// An image as JPEG, made where the image is: images cannot be passed on between tasks, its bytes can.
    ///
    /// ```swift
    /// try await photos.add(JPEGImage(image), named: "valve")
    /// ```
    ///
    /// For Apple platforms; written on Linux, where it was type-checked (`Scripts/check-apple`) and never run.
    public struct JPEGImage: Sendable {
        public let bytes: Data

        /// - Parameters:
        ///   - quality: From 0, the fewest bytes, to 1.
        ///   - orientation: How the image is to be turned when it is shown; written into the JPEG.
        /// - Throws: ``ODataError`` `badRequest` if the image cannot be written as JPEG.
        public init(
            _ image: CGImage, quality: Double = 0.85, orientation: CGImagePropertyOrientation = .up
        ) throws {
            let data = NSMutableData()
            let type = UTType.jpeg.identifier as CFString
            guard let destination = CGImageDestinationCreateWithData(data, type, 1, nil) else {
                throw Self.unwritable
            }
            let properties: [CFString: Any] = [
                kCGImageDestinationLossyCompressionQuality: min(max(quality, 0), 1),
                kCGImagePropertyOrientation: orientation.rawValue,
            ]
            CGImageDestinationAddImage(destination, image, properties as CFDictionary)
            guard CGImageDestinationFinalize(destination) else { throw Self.unwritable }
            bytes = data as Data
        }

        #if canImport(UIKit)
            /// - Parameter quality: From 0, the fewest bytes, to 1.
            /// - Throws: ``ODataError`` `badRequest` if the image cannot be written as JPEG.
            public init(_ image: UIImage, quality: Double = 0.85) throws {
                guard let bytes = image.jpegData(compressionQuality: min(max(quality, 0), 1)) else {
                    throw Self.unwritable
                }
                self.bytes = bytes
            }
        #endif

        private static var unwritable: ODataError { ODataError(.badRequest, "The image cannot be written as JPEG.") }
    }

    extension AttachmentManager {
        /// Adds an image here: ``postLocalEdits()`` sends it.
        ///
        /// - Parameter name: `.jpg` is put behind it where it does not end with that.
        /// - Throws: As ``add(_:_:)``.
        @discardableResult
        public func add(_ image: JPEGImage, named name: String, keywords: [String] = []) async throws
            -> EntityAttachment
        {
            let isNamed = [".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
            let details = AttachmentDetails(
                name: isNamed ? name : "\(name).jpg", contentType: "image/jpeg", keywords: keywords)
            return try await add(ByteContent(DataSource(image.bytes)), details)
        }
    }
#endif
