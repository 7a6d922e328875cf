import Foundation

extension Data {
    /// The content of a file that the command line names.
    ///
    /// - Throws: ``Failure`` with the file's name, where it cannot be read.
    init(named file: String) throws {
        do {
            try self.init(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw Failure("\(file) cannot be read: \(error.localizedDescription)")
        }
    }
}
