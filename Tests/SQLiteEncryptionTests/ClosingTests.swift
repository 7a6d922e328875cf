import Dispatch
import GRDB
import SQLiteEncryption
import Synchronization
import Testing

@Suite("Reads while a database is closed")
struct ClosingTests {
    /// GRDB's own read ends the process here: the reads that wait for the end of `close()` get a closed connection.
    @Test("A read that another thread's close overtakes is an error", arguments: 0..<10)
    func overtaken(round: Int) throws {
        let store = try TemporaryStore()
        let pool = try store.pool()
        try pool.write { try $0.insertSecrets(0..<5) }
        let reads = Atomic(0)
        let errors = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            guard worker > 0 else {
                while reads.load(ordering: .relaxed) < 20 {}
                try? pool.close()
                return
            }
            do {
                while true {
                    let count = try pool.readNow { try $0.countSecrets() }
                    if count != 5 { return }
                    reads.add(1, ordering: .relaxed)
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
                errors.add(1, ordering: .relaxed)
            } catch {}
        }
        #expect(errors.load(ordering: .relaxed) == 7)
    }
}
