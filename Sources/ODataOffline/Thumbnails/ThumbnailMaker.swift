import ByteStreams

/// Makes small images of large ones: with the means of the platform, another program, or the app's own.
public protocol ThumbnailMaker: Sendable {
    /// An image that fits into a square.
    ///
    /// - Parameters:
    ///   - content: An image in whatever format. Only what is needed has to be read.
    ///   - pixels: The length of the square's sides.
    /// - Throws: `ODataError` `unsupportedMediaType` if the content is not an image that can be read, `notImplemented`
    ///   if what makes thumbnails is not there, and what reading the content throws.
    func thumbnail(of content: ByteContent, fitting pixels: Int) async throws -> ThumbnailImage
}

/// A small image.
public struct ThumbnailImage: Hashable, Sendable {
    /// The whole file of the image, in the format of ``contentType``.
    public var bytes: [UInt8]
    /// `image/png`
    public var contentType: String

    /// - Parameters:
    ///   - bytes: The whole file of the image.
    ///   - contentType: Its media type: `image/png`
    public init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}

/// The thumbnailer of the device; nil if it has none.
func deviceThumbnailer() -> (any ThumbnailMaker)? {
    #if canImport(ImageIO)
        return ImageIOThumbnailer()
    #elseif canImport(Glibc)
        return ThumbnailProgram.installed
    #else
        return nil
    #endif
}
