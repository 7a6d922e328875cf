import CZlib

/// Decodes what was compressed with DEFLATE, piece by piece: gzip, of several members too, zlib, and the bare format.
///
/// [RFC 1950, RFC 1951, RFC 1952]
package final class Inflater {
    /// What the compressed bytes are wrapped in.
    package enum Wrapping: Sendable {
        case gzip
        /// zlib, or nothing: what HTTP calls `deflate` is sent as either. [RFC 9110, section 8.4.1.2]
        case deflate
    }

    private enum Stage {
        case header, content
        /// Behind a member of gzip: another one may follow.
        case end
        case padding
    }

    /// How many bytes are given out at a time.
    private static let piece = 65_536

    private let wrapping: Wrapping
    private var stage = Stage.header
    private var input: [UInt8] = []
    private var position = 0
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: piece)
    /// zlib refuses a stream that has moved in memory.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isBegun = false

    package init(_ wrapping: Wrapping) {
        self.wrapping = wrapping
        stream.initialize(to: z_stream())
    }

    deinit {
        if isBegun { inflateEnd(stream) }
        stream.deallocate()
        output.deallocate()
    }

    /// Adds compressed bytes; before more are added, ``next()`` has to have said that it needs them.
    package func add(_ bytes: [UInt8]) {
        guard stage != .padding, !bytes.isEmpty else { return }
        input = position == input.count ? bytes : Array(input[position...]) + bytes
        position = 0
    }

    /// The next decoded bytes, 64 KiB at most; nil where more compressed ones are needed first.
    ///
    /// - Throws: ``InflateError``
    package func next() throws -> [UInt8]? {
        var count = 0
        while count < Self.piece, try step(&count) {}
        return count > 0 ? Array(UnsafeBufferPointer(start: output, count: count)) : nil
    }

    /// Checks, after the last compressed bytes, that they are complete. Without any bytes they are.
    ///
    /// - Throws: ``InflateError``
    package func finish() throws {
        switch stage {
        case .end, .padding: return
        case .header where input.isEmpty: return
        default: throw InflateError("The compressed bytes break off.")
        }
    }

    /// - Parameter count: How many bytes ``output`` has.
    /// - Returns: False where more bytes are needed.
    private func step(_ count: inout Int) throws -> Bool {
        switch stage {
        case .header, .end: return try beginMember()
        case .content: return try decode(&count)
        case .padding: return false
        }
    }

    /// Looks at the first two bytes; behind a member of gzip, other bytes than those of another one are padding.
    private func beginMember() throws -> Bool {
        guard input.count - position >= 2 else { return false }
        let format = format(Int(input[position]), Int(input[position + 1]))
        if wrapping == .gzip, format != .gzip {
            guard stage == .end else { throw InflateError("The bytes are not gzip.") }
            stage = .padding
            return false
        }
        let status =
            isBegun
            ? inflateReset(stream)
            : inflateInit2_(stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw InflateError(status, stream) }
        isBegun = true
        stage = .content
        return true
    }

    private func format(_ first: Int, _ second: Int) -> DeflateFormat {
        switch wrapping {
        case .gzip: first == 0x1F && second == 0x8B ? .gzip : .bare
        case .deflate: first & 0x8F == 8 && (first << 8 | second) % 31 == 0 ? .zlib : .bare
        }
    }

    private func decode(_ count: inout Int) throws -> Bool {
        let status = input.withUnsafeBufferPointer { input in
            let rest = UInt32(clamping: input.count - position)
            let room = UInt32(Self.piece - count)
            stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
            stream.pointee.avail_in = rest
            stream.pointee.next_out = output + count
            stream.pointee.avail_out = room
            let status = inflate(stream, Z_NO_FLUSH)
            position += Int(rest - stream.pointee.avail_in)
            count += Int(room - stream.pointee.avail_out)
            return status
        }
        switch status {
        case Z_OK: return true
        // Nothing could be done.
        case Z_BUF_ERROR: return false
        case Z_STREAM_END:
            stage = wrapping == .gzip ? .end : .padding
            return true
        default: throw InflateError(status, stream)
        }
    }
}

/// Why compressed bytes cannot be decoded.
package struct InflateError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// - Parameter status: What zlib returned.
    fileprivate init(_ status: Int32, _ stream: UnsafePointer<z_stream>) {
        switch status {
        case Z_NEED_DICT: description = "A preset dictionary is needed."
        case Z_MEM_ERROR: description = "There is not enough memory."
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) }
            description = "The compressed bytes are not valid: \(reason ?? "zlib status \(status)")."
        }
    }
}
