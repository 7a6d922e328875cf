import Foundation

/// Tests that have a short form for each run and a long one for `Scripts/test --long`.
package enum LongTests {
    /// Whether `ODATA_LONG_TESTS` is 1.
    package static let areWanted = ProcessInfo.processInfo.environment["ODATA_LONG_TESTS"] == "1"

    /// All of `cases` in the long form, else the first and each further one at a distance of `step`.
    ///
    /// - Parameter step: Prime to the number of kinds that take turns in `cases`, so that each kind is met.
    package static func slice<Case>(_ cases: [Case], step: Int) -> [Case] {
        areWanted ? cases : stride(from: 0, to: cases.count, by: step).map { cases[$0] }
    }
}
