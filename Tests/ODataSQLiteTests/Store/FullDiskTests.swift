import GRDB
import ODataSQLite
import ODataStores
import Testing

@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "is named as such, also where it is the shared memory that has no room",
        arguments: [
            (ResultCode.SQLITE_FULL, true), (.SQLITE_IOERR_SHMSIZE, true), (.SQLITE_IOERR_READ, false),
            (.SQLITE_IOERR_SHMMAP, false),
        ])
    func named(code: ResultCode, isFull: Bool) {
        let error = ODataError(reading: DatabaseError(resultCode: code))
        #expect(error.code == .storage && (error.message == "The disk is full.") == isFull)
    }
}
