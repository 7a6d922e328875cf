import ArgumentParser
import Foundation
import OData
import ODataTesting

/// A sample service that is part of the tool.
enum SampleArgument: String, ExpressibleByArgument, CaseIterable {
    /// The model that conformance suites ask about.
    case compliance
    /// Work orders, inspections and photos: what the demo and the getting-started tutorial take offline.
    case fieldService = "field-service"
}

/// The field service sample in a file: a named one, or a temporary one that is removed when the service ends.
struct SampleFile {
    static let photos = MediaColumn(set: "Photos", column: "Content", contentType: "image/png")

    let path: String
    private let temporaryFolder: String?

    /// - Parameter path: The sample is written if there is no such file.
    init(_ path: String?) throws {
        if let path {
            (self.path, temporaryFolder) = (path, nil)
        } else {
            let folder = NSTemporaryDirectory() + "odata-sample-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            (self.path, temporaryFolder) = (folder + "/field-service.db", folder)
        }
        if !FileManager.default.fileExists(atPath: self.path) { try FieldServiceSample.create(at: self.path) }
    }

    func remove() {
        if let temporaryFolder { try? FileManager.default.removeItem(atPath: temporaryFolder) }
    }
}
