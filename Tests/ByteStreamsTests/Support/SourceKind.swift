import ByteStreams
import Foundation

/// The kinds of sources that the tests read.
enum SourceKind: String, CaseIterable {
    case file, partOfFile, handle, array, partOfArray, data, slice, sliceOfSequence, joined, joinedWithUnknown
    case joinedFiles, sequence, sequenceFromStart, unknownLength

    /// - Parameter file: The path of a file with `bytes`, which stays while the source is read.
    func source(_ bytes: [UInt8], file: String) throws -> any ByteSource {
        let half = bytes.count / 2
        let surrounded = [1, 2, 3] + bytes + [4, 5]
        let middle = 3..<Int64(3 + bytes.count)
        switch self {
        case .file: return try FileSource(path: file)
        case .partOfFile:
            try Data(surrounded).write(to: URL(fileURLWithPath: file))
            return try FileSource(path: file, range: middle)
        case .handle:
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            return try HandleSource(handle)
        case .array: return DataSource(bytes)
        case .partOfArray: return DataSource(surrounded[3..<surrounded.count - 2])
        case .data: return DataSource(Data(surrounded).dropFirst(3).dropLast(2))
        case .slice: return try SliceSource(DataSource(surrounded), range: middle)
        case .sliceOfSequence: return try SliceSource(Self.sequence(surrounded, length: nil), range: middle)
        case .joined:
            return JoinedSource([DataSource(bytes[..<half]), DataSource([]), DataSource(bytes[half...])])
        case .joinedWithUnknown:
            return JoinedSource([Self.sequence(Array(bytes[..<half]), length: nil), DataSource(bytes[half...])])
        case .joinedFiles:
            let count = Int64(bytes.count)
            return JoinedSource([
                try FileSource(path: file, range: 0..<count / 3), try FileSource(path: file, range: count / 3..<count),
            ])
        case .sequence: return Self.sequence(bytes, length: Int64(bytes.count))
        case .sequenceFromStart:
            return SequenceSource(length: Int64(bytes.count)) { Self.pieces(of: bytes[...]) }
        case .unknownLength: return Self.sequence(bytes, length: nil)
        }
    }

    var isBlocking: Bool {
        switch self {
        case .sliceOfSequence, .joinedWithUnknown, .sequence, .sequenceFromStart, .unknownLength: false
        default: true
        }
    }

    var knowsLength: Bool { self != .joinedWithUnknown && self != .unknownLength }

    private static func sequence(_ bytes: [UInt8], length: Int64?) -> SequenceSource {
        SequenceSource(length: length) { offset in
            guard offset <= bytes.count else { throw ByteStreamError(.pastEnd, "There are \(bytes.count) bytes.") }
            return pieces(of: bytes[Int(offset)...])
        }
    }

    /// Pieces of uneven sizes, some of them empty.
    private static func pieces(of bytes: ArraySlice<UInt8>) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        var rest = bytes
        var size = 0
        while !rest.isEmpty {
            continuation.yield(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size = (size * 7 + 1) % 100_000
        }
        continuation.finish()
        return stream
    }
}
