import Foundation

/// Test data that lies beside the package where it is developed; absent elsewhere.
enum SharedData {
    static let metadata: String? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = package.deletingLastPathComponent().appendingPathComponent("shared/data/metadata").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()
}
