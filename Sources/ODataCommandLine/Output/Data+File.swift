import Foundation

extension Data {
    /// The content of a file that the command line names.
    ///
    /// - Throws: ``Failure`` with the file's name, where it cannot be read.
    init(named file: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw Failure("There is no file \(file).")
        }
        guard !isFolder.boolValue else { throw Failure("\(file) is a folder: name a file.") }
        do {
            try self.init(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw Failure("\(file) cannot be read: \(error.localizedDescription)")
        }
    }
}
