// The names are those of the framework.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import CoreGraphics

public final class CGImageSource {}
public final class CGImageDestination {}

public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = ""
public let kCGImageSourceCreateThumbnailWithTransform: CFString = ""
public let kCGImageSourceThumbnailMaxPixelSize: CFString = ""
public let kCGImageDestinationLossyCompressionQuality: CFString = ""

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { fatalError() }
public func CGImageSourceCreateImageAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { fatalError() }
public func CGImageSourceCreateThumbnailAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { fatalError() }
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { fatalError() }
public func CGImageDestinationAddImage(
    _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { fatalError() }
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { fatalError() }

public let kCGImagePropertyOrientation: CFString = ""

public enum CGImagePropertyOrientation: UInt32, Sendable {
    case up = 1
    case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}
