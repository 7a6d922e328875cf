import Foundation
import ODataTesting
import Testing

/// One of the moments at which the tool is killed, drawn from a seed.
struct KillCase: Sendable, CustomTestStringConvertible {
    enum Phase: String, Sendable {
        case download, refresh, upload, series, change
    }

    let seed: Int

    /// All of them where long tests are wished for, else a slice that has every phase.
    static var all: [KillCase] {
        let isLong = ProcessInfo.processInfo.environment["ODATA_LONG_TESTS"] == "1"
        return (0..<(isLong ? 300 : 40)).map(KillCase.init)
    }

    var phase: Phase {
        switch seed % 10 {
        case 0...2: .download
        case 3: .refresh
        case 4...6: .upload
        case 7, 8: .series
        default: .change
        }
    }

    var random: SplitMix { SplitMix(seed: UInt64(seed) &* 7919 &+ 1) }

    var testDescription: String { "\(seed): \(phase.rawValue)" }
}
