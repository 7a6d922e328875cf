import GRDBSQLite

/// SQLite's table of a file's methods. Contents go through ``SealedFile``, locks and shared memory to the system.
enum FileMethods {
    /// Version 2: shared memory, but no memory mapping, which would show ciphertext.
    ///
    /// SQLite reads it on all threads, and it is immutable once it is made: the pointer may be shared.
    nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: sqlite3_io_methods())
        table.pointee.iVersion = 2
        setContents(&table.pointee)
        setLocks(&table.pointee)
        setSharedMemory(&table.pointee)
        return UnsafePointer(table)
    }()

    private static func setContents(_ methods: inout sqlite3_io_methods) {
        methods.xClose = { pointer in
            guard let memory = VirtualFile.memory(pointer), let file = memory.pointee.file else { return SQLITE_OK }
            let system = file.takeUnretainedValue().system.pointer
            let code = system.pointee.pMethods.pointee.xClose(system)
            memory.pointee.file = nil
            file.release()
            return code
        }
        methods.xRead = { pointer, buffer, count, offset in
            VirtualFile.with(pointer) { file throws(FileFailure) in
                let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
                return try file.content.read(into: buffer, at: offset) ? SQLITE_OK : FileFailure.shortRead.code
            }
        }
        methods.xWrite = { pointer, bytes, count, offset in
            VirtualFile.with(pointer) { file throws(FileFailure) in
                try file.content.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
                return SQLITE_OK
            }
        }
        methods.xTruncate = { pointer, size in
            VirtualFile.with(pointer) { file throws(FileFailure) in
                try file.content.truncate(to: size)
                return SQLITE_OK
            }
        }
        methods.xSync = { pointer, flags in
            VirtualFile.with(pointer) { file throws(FileFailure) in
                try file.content.flush()
                return file.system.methods.xSync(file.system.pointer, flags)
            }
        }
        methods.xFileSize = { pointer, size in
            VirtualFile.with(pointer) { file throws(FileFailure) in
                size?.pointee = try file.content.size()
                return SQLITE_OK
            }
        }
        methods.xFileControl = { pointer, operation, argument in
            VirtualFile.with(pointer) { $0.control(operation, argument) }
        }
        methods.xSectorSize = { pointer in
            VirtualFile.with(pointer) { $0.system.methods.xSectorSize($0.system.pointer) }
        }
        methods.xDeviceCharacteristics = { pointer in
            VirtualFile.with(pointer) { file in
                // What the device promises of atomic writes and appends does not hold for longer records.
                let kept = SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_IMMUTABLE
                return file.system.methods.xDeviceCharacteristics(file.system.pointer) & kept
            }
        }
    }

    private static func setLocks(_ methods: inout sqlite3_io_methods) {
        methods.xLock = { pointer, lock in
            VirtualFile.with(pointer) { $0.system.methods.xLock($0.system.pointer, lock) }
        }
        methods.xUnlock = { pointer, lock in
            VirtualFile.with(pointer) { $0.system.methods.xUnlock($0.system.pointer, lock) }
        }
        methods.xCheckReservedLock = { pointer, result in
            VirtualFile.with(pointer) { $0.system.methods.xCheckReservedLock($0.system.pointer, result) }
        }
    }

    private static func setSharedMemory(_ methods: inout sqlite3_io_methods) {
        methods.xShmMap = { pointer, region, size, extend, memory in
            VirtualFile.with(pointer) { $0.system.methods.xShmMap($0.system.pointer, region, size, extend, memory) }
        }
        methods.xShmLock = { pointer, offset, count, flags in
            VirtualFile.with(pointer) { $0.system.methods.xShmLock($0.system.pointer, offset, count, flags) }
        }
        methods.xShmBarrier = { pointer in
            guard let system = VirtualFile.of(pointer)?.system else { return }
            system.methods.xShmBarrier(system.pointer)
        }
        methods.xShmUnmap = { pointer, delete in
            VirtualFile.with(pointer) { $0.system.methods.xShmUnmap($0.system.pointer, delete) }
        }
    }
}
