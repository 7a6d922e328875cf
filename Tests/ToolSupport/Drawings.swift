import Foundation

/// What progress lines have drawn on a terminal: each drawing goes over the one before, so that nothing is blank between
/// them and nothing flickers.
///
///     \r ESC[1A 5 of 30 entities ESC[K \n 2 of 6 streams ESC[J
package struct Drawings {
    /// The lines of each drawing; where all were taken away, an empty one.
    package let lines: [[String]]
    /// What came after the last one.
    package let rest: String

    /// - Throws: ``ToolError`` with the first one that does not begin at the first line of the one before, or has control
    ///   characters within its lines.
    package init(_ text: String) throws {
        var parts = text.replacing("\r\n", with: "\n").components(separatedBy: Self.end)
        rest = parts.removeLast()
        var drawn: [[String]] = []
        for part in parts { drawn.append(try Self.lines(of: part, over: drawn.last?.count ?? 1)) }
        lines = drawn
    }

    /// How many drawings are complete.
    package static func count(in text: String) -> Int { text.components(separatedBy: end).count - 1 }

    private static let end = "\u{1B}[J"

    private static func lines(of drawing: String, over count: Int) throws -> [String] {
        let start = "\r" + (count > 1 ? "\u{1B}[\(count - 1)A" : "")
        let lines = String(drawing.dropFirst(start.count)).components(separatedBy: "\u{1B}[K\n")
        guard drawing.hasPrefix(start), !lines.contains(where: hasControls) else {
            throw ToolError(message: "This does not go over \(count) lines: \(drawing.debugDescription)")
        }
        return lines
    }

    private static func hasControls(_ line: String) -> Bool {
        line.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
