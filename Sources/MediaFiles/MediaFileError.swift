#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why the media folder could not keep or give bytes.
package struct MediaFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        package let name: String
        private init(_ name: String) { self.name = name }

        /// The stream is not in the folder.
        package static let notFound = Code("notFound")
        /// No room on the device, or a quota is used up.
        package static let diskFull = Code("diskFull")
        /// The folder is not the expected one.
        package static let otherFolder = Code("otherFolder")
        /// The folder or a file may not be read or written.
        package static let notPermitted = Code("notPermitted")
        /// The number of bytes differs from the announced one.
        package static let wrongLength = Code("wrongLength")
        /// The digest of the bytes differs from the announced one.
        package static let wrongDigest = Code("wrongDigest")
        /// The partial stream, the folder or its index is in use elsewhere.
        package static let busy = Code("busy")
        /// Any other failure of the file system.
        package static let inputOutput = Code("inputOutput")
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension MediaFileError {
    /// `Media cannot be written to photos/ab: No space left on device.`
    init(_ action: Action, _ path: String, errno number: Int32) {
        let reason = String(cString: strerror(number))
        self.init(Code(errno: number), "Media cannot be \(action.rawValue) \(path): \(reason).")
    }

    enum Action: String {
        case read = "read from"
        case write = "written to"
        case rename = "moved to"
        case remove = "removed from"
        case list = "listed in"
    }
}

extension MediaFileError.Code {
    init(errno number: Int32) {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EACCES, EPERM, EROFS: self = .notPermitted
        case ENOENT: self = .notFound
        case EWOULDBLOCK: self = .busy
        default: self = .inputOutput
        }
    }
}
