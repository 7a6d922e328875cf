import Foundation

/// What ends a build, in the form in which compilers report it: `shop.edmx:3:7: error: …`.
struct BuildProblem: Error, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - line: From 1; nil without a single place, as is `column`.
    init(_ message: String, file: String, line: Int? = nil, column: Int? = nil) {
        let place = line.map { ":\($0):\(column ?? 1)" } ?? ""
        description = "\(file)\(place): error: \(message)"
    }
}

/// Writes a line on standard error.
func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
