import ODataTesting
import Testing
import ToolSupport
import enum TestSupport.LongTests

/// What the tool does with streams while it is struck.
enum MediaCourse: String, CaseIterable, Sendable {
    case download
    /// One request for each stream.
    case upload
    /// In pieces.
    case resumableUpload
    /// Posted to the service itself.
    case attachments

    /// Whether the store's queue is sent.
    var sendsQueue: Bool { self == .upload || self == .resumableUpload }
}

/// A strike on a stream's way, drawn from a seed.
struct MediaKillCase: Sendable, CustomTestStringConvertible {
    enum Blow: String, CaseIterable, Sendable {
        case toolKilled
        /// A few milliseconds later: at what it does with what has come.
        case toolKilledSoon
        /// Killed and started again.
        case serviceKilled
        case cut
        case toolKilledAgain
    }

    let seed: Int

    /// All of them in long tests, else a slice that has every course with every blow.
    static var all: [MediaKillCase] {
        (0..<(LongTests.areWanted ? 500 : 20)).map(MediaKillCase.init)
    }

    static let large = (0..<20).map(MediaKillCase.init)

    var course: MediaCourse { MediaCourse.allCases[seed % MediaCourse.allCases.count] }
    var blow: Blow { Blow.allCases[seed / MediaCourse.allCases.count % Blow.allCases.count] }
    var random: SplitMix { SplitMix(seed: UInt64(seed) &* 104_729 &+ 3) }

    var testDescription: String { "\(seed): \(course.rawValue), \(blow.rawValue)" }
}

extension Relay.Moment {
    /// Bytes at the very end are not drawn: messages are not equally long in each run.
    private static let slack = 500

    /// Draws a moment from a run with this much traffic.
    init(_ usual: Relay.Traffic, of course: MediaCourse, using random: inout SplitMix) {
        let request = random.number(below: usual.requestBytes - Self.slack)
        let response = random.number(below: usual.responseBytes - Self.slack)
        switch random.number(below: 4) {
        case 0: self = .turn(random.number(below: usual.turns))
        case 1: self = course == .download ? .requestBytes(request) : .responseBytes(response)
        default: self = course == .download ? .responseBytes(response) : .requestBytes(request)
        }
    }

    /// Draws a moment of a run with one large stream.
    init(large course: MediaCourse, using random: inout SplitMix) {
        let byte = random.number(below: Int(LargeFile.length))
        switch random.number(below: 4) {
        case 0: self = .turn(random.number(below: 2))
        default: self = course == .download ? .responseBytes(byte) : .requestBytes(byte)
        }
    }
}
