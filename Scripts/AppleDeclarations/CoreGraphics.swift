public import Foundation

// Of Core Foundation and Core Graphics, as Apple documents them: signatures alone. Core Foundation's types are those of
// Foundation that they are bridged to.
public typealias CFString = String
public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = [CFString: Any]

public final class CGImage: Sendable {
    public var width: Int { fatalError() }
    public var height: Int { fatalError() }
}
