import Testing

@testable import ODataCommandLine

@Suite struct ProgressMeterTests {
    private let start = ContinuousClock.now

    private static let bars: [(Int64, Int64?, String)] = [
        (0, 100, "[------------------------------]   0% of 100 B"),
        (500_000, 1_500_000, "[##########--------------------]  33% of 1.5 MB"),
        (12_345_678, 12_345_678, "[##############################] 100% of 12.3 MB"),
        (20, 10, "[##############################] 100% of 10 B"),
        (0, 0, "[##############################] 100% of 0 B"),
        (999, nil, "999 B"), (9999, nil, "9.9 kB"), (.max, nil, "9223372.0 TB"),
    ]

    @Test(arguments: bars)
    func bar(bytes: Int64, total: Int64?, line: String) {
        var meter = ProgressMeter("", .bytes)
        meter.note(bytes, of: total, at: start)
        #expect(meter.line(width: 80, at: start) == line)
    }

    @Test func rateAndRemainingComeWithTheSecondHalfSecond() {
        var meter = ProgressMeter("Photos(1)", .bytes)
        // What came in an earlier run says nothing of the rate.
        meter.note(2_000_000, of: 10_000_000, at: start)
        meter.note(2_400_000, of: 10_000_000, at: start + .milliseconds(400))
        #expect(meter.line(width: 80, at: start + .milliseconds(400)).hasSuffix(" 24% of 10.0 MB  Photos(1)"))
        meter.note(4_000_000, of: 10_000_000, at: start + .seconds(2))
        #expect(
            meter.line(width: 100, at: start + .seconds(2))
                == "[############------------------]  40% of 10.0 MB  1.0 MB/s  0:06 left  Photos(1)")
        #expect(
            meter.plainLine(at: start + .seconds(2)) == "Photos(1): 4.0 MB of 10.0 MB, 1.0 MB/s, 0:06 left")
    }

    @Test func onlyTheLastSecondsCount() {
        var rate = TransferRate()
        for second in 0...60 { rate.note(Int64(second) * 100, at: start + .seconds(second)) }
        for second in 61...70 { rate.note(6000 + Int64(second - 60) * 10, at: start + .seconds(second)) }
        #expect(rate.perSecond(at: start + .seconds(70)) == 10)
        #expect(rate.perSecond(at: start + .seconds(75)) == 5)
    }

    @Test func whatBeginsAnewHasANewRate() {
        var rate = TransferRate()
        rate.note(0, at: start)
        rate.note(5000, at: start + .seconds(1))
        #expect(rate.perSecond(at: start + .seconds(1)) == 5000)
        rate.note(1000, at: start + .seconds(2))
        #expect(rate.perSecond(at: start + .seconds(2)) == nil)
        rate.note(1500, at: start + .seconds(3))
        #expect(rate.perSecond(at: start + .seconds(3)) == 500)
    }

    private static let counts: [(ProgressMeter.Unit, Int64, Int64?, String)] = [
        (.entities, 2000, nil, "2000 entities  1000/s  orders"),
        (.entities, 5, nil, "5 entities  2.5/s  orders"),
        (.requests, 1, 1800, "[------------------------------] 1 of 1800 requests  0.5/s  59:58 left  orders"),
        (.streams, 1, 18_000, "[------------------------------] 1 of 18000 streams  0.5/s  9:59:58 left  orders"),
    ]

    @Test(arguments: counts)
    func counted(unit: ProgressMeter.Unit, done: Int64, total: Int64?, line: String) {
        var meter = ProgressMeter("orders", unit)
        meter.note(0, of: total, at: start)
        meter.note(done, of: total, at: start + .seconds(2))
        #expect(meter.line(width: 200, at: start + .seconds(2)) == line)
    }

    @Test("Bytes of a page that has no complete entity yet are shown with their rate")
    func receivedBytes() {
        var meter = ProgressMeter("orders", .entities)
        meter.note(0, of: 1779, bytes: 100, at: start)
        #expect(
            meter.line(width: 80, at: start)
                == "[------------------------------] 0 of 1779 entities  received 100 B  orders")
        let later = start + .seconds(2)
        meter.note(0, of: 1779, bytes: 3_200_100, at: later)
        #expect(meter.plainLine(at: later) == "orders: 0 of 1779 entities, received 3.2 MB, 1.6 MB/s")
        meter.note(4, of: 1779, bytes: 3_300_000, at: later)
        #expect(meter.plainLine(at: later) == "orders: 4 of 1779 entities, received 3.3 MB, 2.0/s, 14:48 left")
    }

    @Test(arguments: 1...90)
    func noLineIsWiderThanItMayBe(width: Int) {
        var meter = ProgressMeter("Documents('写真')/Content\u{1B}[2J", .bytes)
        meter.note(1, of: 3, at: start)
        meter.note(2, of: 3, at: start + .seconds(1))
        let line = meter.line(width: width, at: start + .seconds(1))
        #expect(line.columns <= width, "\(line)")
        #expect(!line.contains("\u{1B}"))
    }

    @Test func aNarrowLineHasAShortBarAndAShortName() {
        var meter = ProgressMeter("Documents('a long name')", .bytes)
        meter.note(1, of: 2, at: start)
        #expect(meter.line(width: 44, at: start) == "[######------]  50% of 2 B  Documents('a lo…")
        #expect(meter.line(width: 30, at: start) == " 50% of 2 B  Documents('a lon…")
    }
}
