import Foundation

/// Published data that some tests read and the repository does not have.
package enum TestData {
    /// The folder that `ODATA_TEST_DATA` names, else `shared/data` beside the package.
    private static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["ODATA_TEST_DATA"], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

    /// What reports say of tests that are skipped without the data.
    package static let absence = "skipped: no data in \(folder.path); ODATA_TEST_DATA names another folder"

    /// The file or folder `name`; nil if it is not there.
    package static func url(_ name: String) -> URL? {
        let url = folder.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
}
