import Testing

@testable import ODataSQLite

@Suite("The pace of the reads of a plan")
struct ReadPaceTests {
    @Test("A read that took too long is followed by some that are not tried, and then one that is")
    func pause() {
        let pace = ReadPace()
        let before = (0..<100).map { _ in pace.expectsShort() }
        #expect(before.allSatisfy { $0 })
        for _ in 0..<2 {
            pace.overrun()
            let after = (0..<65).map { _ in pace.expectsShort() }
            #expect(after.firstIndex(of: true) == 64)
        }
        #expect(pace.expectsShort())
    }
}
