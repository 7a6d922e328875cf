import Foundation

/// A large file to measure with.
enum SampleFile {
    static func write(_ path: String, megabytes: Int) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let megabyte = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        for _ in 0..<megabytes { try handle.write(contentsOf: megabyte) }
        try handle.close()
    }
}
