public struct UTType: Sendable {
    public init?(_ identifier: String) { fatalError() }
    public var identifier: String { fatalError() }
    public var preferredMIMEType: String? { fatalError() }
    public static var png: UTType { fatalError() }
    public static var jpeg: UTType { fatalError() }
    public static var heic: UTType { fatalError() }
}
