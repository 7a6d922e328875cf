import ODataTesting
import Testing

import enum TestSupport.LongTests

/// One of the moments at which the tool is killed, drawn from a seed.
struct KillCase: Sendable, CustomTestStringConvertible {
    enum Phase: String, Sendable {
        case download, refresh, upload, series, change
    }

    let seed: Int

    /// All of them in long tests, else a slice that has every phase.
    static var all: [KillCase] {
        (0..<(LongTests.areWanted ? 300 : 20)).map(KillCase.init)
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
