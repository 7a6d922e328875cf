import ByteStreams
import Foundation
import ODataStores

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A completely received stream in an unlinked temporary file, to be written into the database, so that no transaction
/// waits for a network. The file is removed with the value.
final class SpooledUpload: Sendable {
    private static let pieceLength = 256 * 1024
    private let descriptor: Int32
    /// In bytes.
    let length: Int64

    private init(descriptor: Int32, length: Int64) {
        self.descriptor = descriptor
        self.length = length
    }

    deinit { close(descriptor) }

    /// Receives `content`.
    ///
    /// - Parameter folder: The folder of the file: that of the database, since the temporary folder may be in memory.
    /// - Throws: ``ODataError`` `tooLarge` as soon as it is known that there are more than `limit` bytes, `storage`
    ///   if the file cannot be written, and what reading throws.
    static func spool(_ content: ByteContent, limit: Int64, in folder: String) async throws -> SpooledUpload {
        if let length = content.length, length > limit { throw tooLarge(limit) }
        let descriptor = try temporaryFile(in: folder)
        var length: Int64 = 0
        do {
            for try await chunk in try content.chunks() {
                length += Int64(chunk.count)
                guard length <= limit else { throw tooLarge(limit) }
                try write(chunk, to: descriptor)
            }
            if let declared = content.length, declared != length {
                throw ODataError(.badRequest, "The stream has \(length) bytes, not the \(declared) that were declared.")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return SpooledUpload(descriptor: descriptor, length: length)
    }

    /// Passes on the bytes piece by piece, with the offset of each.
    func forEachPiece(_ body: (UnsafeRawBufferPointer, Int64) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceLength, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < length {
            let wanted = min(buffer.count, Int(length - offset))
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("read") }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
            offset += Int64(count)
        }
    }

    /// Identifies the content, to compare repeated requests.
    func digest() throws -> String {
        var hash = StableHash()
        try forEachPiece { piece, _ in hash.add(bytes: piece) }
        return "\(length)-\(hash.text)"
    }

    /// All bytes: for tables whose BLOBs cannot be written in pieces.
    func bytes() throws -> Data {
        var data = Data(capacity: Int(length))
        try forEachPiece { piece, _ in data.append(contentsOf: piece) }
        return data
    }

    /// A file that is unlinked as soon as it is open.
    private static func temporaryFile(in folder: String) throws -> Int32 {
        var template = Array((folder + "/odata-upload-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("made") }
        unlink(template)
        return descriptor
    }

    private static func write(_ chunk: [UInt8], to descriptor: Int32) throws {
        var written = 0
        try chunk.withUnsafeBytes { bytes in
            while written < bytes.count {
                let count = Foundation.write(descriptor, bytes[written...].baseAddressOfSlice, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("written") }
                written += count
            }
        }
    }

    private static func tooLarge(_ limit: Int64) -> ODataError {
        ODataError(.tooLarge, "A stream can have at most \(limit) bytes.")
    }

    private static func failure(_ verb: String) -> ODataError {
        ODataError(
            .storage, "The temporary file of a stream could not be \(verb): \(String(cString: strerror(errno))).")
    }

    private func failure(_ verb: String) -> ODataError { Self.failure(verb) }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddressOfSlice: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
