import CZlib

/// Compresses bytes that are in memory as a whole.
///
/// [RFC 1951, RFC 1952]
package enum Gzip {
    /// `bytes` as a gzip file with one member; nil where they are 4 GiB or more, or there is not enough memory.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let count = UInt32(exactly: bytes.count) else { return nil }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, DeflateFormat.gzip.windowBits, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        guard let most = UInt32(exactly: deflateBound(stream, UInt(count))) else { return nil }
        var isComplete = false
        let compressed = [UInt8](unsafeUninitializedCapacity: Int(most)) { output, written in
            bytes.withUnsafeBufferPointer { bytes in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.pointee.avail_in = count
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = most
                isComplete = deflate(stream, Z_FINISH) == Z_STREAM_END
            }
            written = Int(most - stream.pointee.avail_out)
        }
        return isComplete ? compressed : nil
    }
}

/// What compressed bytes are wrapped in.
enum DeflateFormat {
    case gzip, zlib
    /// Nothing.
    case bare

    /// What zlib takes for the size of the window, 32 KiB, and the format.
    var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .zlib: 15
        case .bare: -15
        }
    }
}
