public import Foundation

open class PHAsset: NSObject {
    public var localIdentifier: String { fatalError() }
    public var modificationDate: Date? { fatalError() }
    public class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> { fatalError() }
}

open class PHFetchOptions: NSObject {}

open class PHFetchResult<ObjectType: AnyObject>: NSObject {
    public var firstObject: ObjectType? { fatalError() }
}

public enum PHAssetResourceType: Int {
    case photo = 1
    case video
    case audio
}

open class PHAssetResource: NSObject {
    public var type: PHAssetResourceType { fatalError() }
    public var uniformTypeIdentifier: String { fatalError() }
    public class func assetResources(for asset: PHAsset) -> [PHAssetResource] { fatalError() }
}

open class PHAssetResourceRequestOptions: NSObject {
    public var isNetworkAccessAllowed: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

open class PHAssetResourceManager: NSObject {
    public class func `default`() -> PHAssetResourceManager { fatalError() }
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { fatalError() }
}
