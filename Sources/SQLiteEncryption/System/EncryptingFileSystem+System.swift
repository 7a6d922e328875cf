import GRDBSQLite

extension UnsafeMutablePointer<sqlite3_vfs>? {
    /// The system's file system behind this one.
    var system: UnsafeMutablePointer<sqlite3_vfs>? {
        self?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
    }
}

/// What the system's file system does for this one. It has to be called with itself.
extension EncryptingFileSystem {
    static func setNames(_ vfs: inout sqlite3_vfs) {
        vfs.xDelete = { vfs, name, synchronise in
            guard let system = vfs.system else { return SQLITE_MISUSE }
            return system.pointee.xDelete(system, name, synchronise)
        }
        vfs.xAccess = { vfs, name, flags, result in
            guard let system = vfs.system else { return SQLITE_MISUSE }
            return system.pointee.xAccess(system, name, flags, result)
        }
        vfs.xFullPathname = { vfs, name, count, path in
            guard let system = vfs.system else { return SQLITE_MISUSE }
            return system.pointee.xFullPathname(system, name, count, path)
        }
        vfs.xGetLastError = { vfs, count, text in
            guard let system = vfs.system, let method = system.pointee.xGetLastError else { return 0 }
            return method(system, count, text)
        }
    }

    static func setServices(_ vfs: inout sqlite3_vfs) {
        vfs.xDlOpen = { vfs, name in
            guard let system = vfs.system, let method = system.pointee.xDlOpen else { return nil }
            return method(system, name)
        }
        vfs.xDlError = { vfs, count, text in
            guard let system = vfs.system, let method = system.pointee.xDlError else { return }
            method(system, count, text)
        }
        vfs.xDlSym = { vfs, handle, name in
            guard let system = vfs.system, let method = system.pointee.xDlSym else { return nil }
            return method(system, handle, name)
        }
        vfs.xDlClose = { vfs, handle in
            guard let system = vfs.system, let method = system.pointee.xDlClose else { return }
            method(system, handle)
        }
        vfs.xRandomness = { vfs, count, bytes in
            guard let system = vfs.system else { return 0 }
            return system.pointee.xRandomness(system, count, bytes)
        }
        vfs.xSleep = { vfs, microseconds in
            guard let system = vfs.system else { return 0 }
            return system.pointee.xSleep(system, microseconds)
        }
        vfs.xCurrentTime = { vfs, time in
            guard let system = vfs.system else { return SQLITE_MISUSE }
            return system.pointee.xCurrentTime(system, time)
        }
        vfs.xCurrentTimeInt64 = { vfs, time in
            guard let system = vfs.system, let method = system.pointee.xCurrentTimeInt64 else { return SQLITE_MISUSE }
            return method(system, time)
        }
    }

    static func setSystemCalls(_ vfs: inout sqlite3_vfs) {
        vfs.xSetSystemCall = { vfs, name, call in
            guard let system = vfs.system, let method = system.pointee.xSetSystemCall else { return SQLITE_NOTFOUND }
            return method(system, name, call)
        }
        vfs.xGetSystemCall = { vfs, name in
            guard let system = vfs.system, let method = system.pointee.xGetSystemCall else { return nil }
            return method(system, name)
        }
        vfs.xNextSystemCall = { vfs, name in
            guard let system = vfs.system, let method = system.pointee.xNextSystemCall else { return nil }
            return method(system, name)
        }
    }
}
