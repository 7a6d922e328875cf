/// A file as SQLite sees it, and the encrypted file on the device.
protocol SealedFile: AnyObject {
    /// False if the file ends before the end of `buffer`, which is filled up with zeros then.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure)

    func truncate(to size: Int64) throws(FileFailure)

    func size() throws(FileFailure) -> Int64

    /// Hands over what has been held back.
    func flush() throws(FileFailure)
}

extension SealedFile {
    func flush() throws(FileFailure) {}
}

/// Memory that is freed with its owner.
final class Scratch {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { bytes.deallocate() }
}

extension UnsafeMutableRawBufferPointer {
    subscript(from start: Int, count count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[start..<start + count])
    }

    func zero() { initializeMemory(as: UInt8.self, repeating: 0) }
}

extension UnsafeRawBufferPointer {
    subscript(from start: Int, count count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<start + count])
    }
}
