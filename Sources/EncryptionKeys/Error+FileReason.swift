import Foundation

extension Error {
    /// Why the file system refused, as the system says it: `Permission denied`. Errors of Foundation print themselves
    /// with all that they carry; of these only the reason is for a person.
    package var fileReason: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        if let number = error.systemNumber { return String(cString: strerror(number)) }
        return Self.reasons[error.code].map { String(cString: strerror($0)) } ?? error.localizedDescription
    }

    /// What stands for the codes of Foundation that come without a number of the system.
    private static var reasons: [CocoaError.Code: Int32] {
        [
            .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES,
            .fileWriteNoPermission: EACCES, .fileWriteFileExists: EEXIST, .fileWriteOutOfSpace: ENOSPC,
            .fileWriteVolumeReadOnly: EROFS,
        ]
    }
}

extension CocoaError {
    /// Of the underlying system error. [POSIX.1, errno.h]
    fileprivate var systemNumber: Int32? {
        guard let below = userInfo[NSUnderlyingErrorKey] as? any Error else { return nil }
        let error = below as NSError
        return error.domain == NSPOSIXErrorDomain ? Int32(error.code) : nil
    }
}
