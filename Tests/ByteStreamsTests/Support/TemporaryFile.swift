import Foundation

/// Runs `body` with the path of a file that holds `bytes`, and removes it.
func withFile<Result>(_ bytes: [UInt8], _ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("content")
    try Data(bytes).write(to: file)
    return try await body(file.path)
}

/// At most 400,000 bytes, of which no two stretches are equal.
func pattern(_ count: Int) -> [UInt8] { Array(longPattern[..<count]) }

private let longPattern: [UInt8] = (0..<400_000).map {
    UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ ($0 >> 16))
}
