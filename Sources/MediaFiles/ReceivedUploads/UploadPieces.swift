import Crypto

/// The file beside that of an upload that reports which bytes were appended: a line of 24 bytes for each piece with its
/// start, its end and the beginning of its SHA-256 digest.
///
/// When a process ends, a file may be longer than anything has noted, and after a power cut it may hold other bytes than
/// were written. Pieces that match their digests are valid.
struct UploadPieces: Sendable {
    static let ending = ".pieces"
    private static let lineLength = 24
    /// Lines are read in so many bytes at once.
    private static let readLength = lineLength * 1_024
    /// A longer piece is not looked at: it would have to be in memory as a whole.
    private static let longest: Int64 = 16 << 20
    private let file: WritableFile

    init(of path: String) throws { file = try WritableFile(path: path + Self.ending, .existing) }

    func note(_ bytes: [UInt8], at start: Int64) throws { try file.append(Self.line(bytes, at: start)) }

    func clear() throws { if try file.length() > 0 { try file.truncate() } }

    /// Where the pieces end that follow each other from `offset` and are in `content` as they were noted.
    func end(from offset: Int64, in content: WritableFile) throws -> Int64 {
        var (end, place) = (offset, Int64(0))
        while case let lines = try file.read(Self.readLength, at: place), lines.count >= Self.lineLength {
            for first in stride(from: 0, through: lines.count - Self.lineLength, by: Self.lineLength) {
                let line = Array(lines[first..<first + Self.lineLength])
                let (start, next) = (Self.number(line[0..<8]), Self.number(line[8..<16]))
                guard start >= end else { continue }
                guard start == end, next > start, next <= (try content.length()), next - start <= Self.longest else {
                    return end
                }
                guard Self.line(try content.read(Int(next - start), at: start), at: start) == line else { return end }
                end = next
            }
            place += Int64(lines.count / Self.lineLength * Self.lineLength)
        }
        return end
    }

    private static func line(_ bytes: [UInt8], at start: Int64) -> [UInt8] {
        [start, start + Int64(bytes.count)].flatMap { number in withUnsafeBytes(of: number.littleEndian, Array.init) }
            + SHA256.hash(data: bytes).prefix(8)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
