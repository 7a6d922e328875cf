@_exported import CoreGraphics
public import Foundation

open class UIImage: NSObject {
    public func jpegData(compressionQuality: CGFloat) -> Data? { fatalError() }
}
