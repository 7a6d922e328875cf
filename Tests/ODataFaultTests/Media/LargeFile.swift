import Foundation

import enum TestSupport.LongTests

/// A file of 1 GiB with holes in it, removed at the end. Each 16 MiB begin with bytes of their own.
final class LargeFile: Sendable {
    static let length: Int64 = 1 << 30
    private static let step = 16 << 20
    /// The source, the service's and the device's copy, and what is on its way.
    private static let room: UInt64 = 6 << 30

    private let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/large"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? handle.close() }
        for place in stride(from: 0, to: Int(Self.length), by: Self.step) {
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: Data(SiteFile.picture(seed: UInt64(place), length: 4_096)))
        }
        try handle.truncate(atOffset: UInt64(Self.length))
    }

    /// Only in long tests, where there is room.
    static var isWanted: Bool {
        guard LongTests.areWanted else { return false }
        let folder = FileManager.default.temporaryDirectory.path
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        let free = facts?[.systemFreeSize]
        return (free as? UInt64) ?? (free as? NSNumber)?.uint64Value ?? 0 > room
    }

    static let absence = "ODATA_LONG_TESTS is not 1, or the temporary folder has less than 6 GiB of room."
}
