import ODataStores
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lock of a store's folder, flock(2) on a file with the id of the process. It is released with its owner.
package final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// - Throws: ``ODataError`` `unusableStore` while another process has it, `storage`.
    package init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ODataError(.storage, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let owner = Self.owner(descriptor)
            close(descriptor)
            let place = owner == nil ? "" : owner == getpid() ? " in this process" : " in the process \(owner ?? 0)"
            throw ODataError(
                .unusableStore,
                "The store is open already\(place). Close it there first, or open it for reading only.")
        }
        // For those who find it locked; nothing depends on it.
        _ = ftruncate(descriptor, 0)
        _ = "\(getpid())".withCString { write(descriptor, $0, strlen($0)) }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Lets others in.
    package func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return Int32(String(decoding: bytes, as: UTF8.self))
    }
}
