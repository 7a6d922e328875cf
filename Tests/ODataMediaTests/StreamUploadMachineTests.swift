import ByteStreams
import ODataMedia
import ODataStores
import Testing

@Suite("Stream upload in pieces, event by event")
struct StreamUploadMachineTests {
    static let place = UploadSession(location: "http://h/up/1")
    static let parts = UploadSession(location: "http://h/up/1", partSize: 4)

    struct Course: Sendable, CustomTestStringConvertible {
        var name: String
        var upload = StreamUploadMachine(total: 10, commits: false)
        var events: [Event]
        var actions: [String]
        var state: StreamUploadMachine.State

        var testDescription: String { name }

        /// Whether the service has said last that it does not know the session, or made none.
        var isGone: Bool {
            switch events.last {
            case .step(.gone)?: true
            case .step(.completed)?: events.count == 1
            default: false
            }
        }
    }

    enum Event: Sendable {
        case step(UploadStep)
        case broke(ODataError)
        case cancelled
        case waited
    }

    private static func earlier(_ state: StreamUploadMachine.State, _ acknowledged: Int64) -> StreamUploadMachine {
        StreamUploadMachine(total: 10, commits: false, state: state, session: place, acknowledged: acknowledged)
    }

    private static func at(_ offset: Int64, _ session: UploadSession = place) -> Event {
        .step(.acknowledged(offset, session))
    }

    private static func cut(isUnknown: Bool = true) -> Event {
        var error = ODataError(.unreachable, "cut")
        error.isOutcomeUnknown = isUnknown
        return .broke(error)
    }

    private static func times<Item>(_ count: Int, _ items: [Item]) -> [Item] {
        (0..<count).reduce(into: []) { all, _ in all += items }
    }

    private static var page: Event {
        var error = ODataError(.invalidResponse, "page")
        error.isOutcomeUnknown = true
        return .broke(error)
    }

    private static var noRoom: Event {
        var error = ODataError(.internalError, "full")
        error.status = 507
        return .broke(error)
    }

    private static func unread(_ code: ByteStreamError.Code) -> Event {
        .broke(ODataError(.storage, "The body cannot be read.", cause: ByteStreamError(code, "no")))
    }

    private static let done = Event.step(.executed(ChangeResult(.updated)))

    static let courses: [Course] = [
        Course(
            name: "the whole at once", events: [at(0), done], actions: ["begin", "append 0..<10 last", "finish"],
            state: .finished),
        Course(
            name: "in parts", events: [at(0, parts), at(4, parts), at(8, parts), done],
            actions: ["begin", "append 0..<4", "append 4..<8", "append 8..<10 last", "finish"], state: .finished),
        Course(
            name: "with a commit", upload: StreamUploadMachine(total: 10, commits: true),
            events: [at(0), at(10), done],
            actions: ["begin", "append 0..<10", "commit", "finish"], state: .finished),
        Course(
            name: "a lost begin is done again", events: [cut(), .waited, at(0)],
            actions: ["begin", "pause", "begin", "append 0..<10 last"], state: .committing),
        Course(
            name: "a cut in the last append", events: [at(0), cut(), .waited, at(7), done],
            actions: ["begin", "append 0..<10 last", "pause", "probe", "append 7..<10 last", "finish"],
            state: .finished),
        Course(
            name: "all bytes came, but not the end", events: [at(0), cut(), .waited, at(10), done],
            actions: ["begin", "append 0..<10 last", "pause", "probe", "append 10..<10 last", "finish"],
            state: .finished),
        Course(
            name: "a cut in a part", events: [at(0, parts), cut(), .waited, at(2, parts)],
            actions: ["begin", "append 0..<4", "pause", "resume", "append 2..<6"], state: .appending),
        Course(
            name: "the lost response is found", events: [at(0), cut(), .waited, done],
            actions: ["begin", "append 0..<10 last", "pause", "probe", "finish"], state: .finished),
        Course(
            name: "complete without a result", events: [at(0), cut(), .waited, .step(.completed)],
            actions: ["begin", "append 0..<10 last", "pause", "probe", "fail in doubt"], state: .unconfirmed),
        Course(
            name: "gone after a lost response", events: [at(0), cut(), .waited, .step(.gone)],
            actions: ["begin", "append 0..<10 last", "pause", "probe", "fail in doubt"], state: .unconfirmed),
        Course(
            name: "gone before the end", events: [at(0, parts), .step(.gone), at(0, parts)],
            actions: ["begin", "append 0..<4", "begin", "append 0..<4"], state: .appending),
        Course(
            name: "gone again and again", events: times(4, [at(0), .step(.gone)]),
            actions: times(4, ["begin", "append 0..<10 last"]) + ["fail"], state: .failed),
        Course(
            name: "refused at the end", events: [at(0), .step(.refused(ODataError(.preconditionFailed, "no")))],
            actions: ["begin", "append 0..<10 last", "fail"], state: .failed),
        Course(
            name: "refused at the begin", events: [.broke(ODataError(.tooLarge, "no"))], actions: ["begin", "fail"],
            state: .failed),
        Course(
            name: "the method is not known", events: [.step(.unsupported)], actions: ["begin", "send whole"],
            state: .waiting),
        Course(
            name: "the method is not known any more", events: [at(0, parts), .step(.unsupported)],
            actions: ["begin", "append 0..<4", "fail"], state: .failed),
        Course(
            name: "the service has no room", events: [at(0, parts), noRoom],
            actions: ["begin", "append 0..<4", "fail"], state: .paused),
        Course(
            name: "the stream is not what it was", events: [at(0, parts), unread(.changed)],
            actions: ["begin", "append 0..<4", "fail"], state: .failed),
        Course(
            name: "the stream is gone", events: [at(0, parts), unread(.notFound)],
            actions: ["begin", "append 0..<4", "fail"], state: .paused),
        Course(
            name: "the begin was taken for the whole", events: [.step(.completed)],
            actions: ["begin", "fail in doubt"], state: .unconfirmed),
        Course(
            name: "the token has run out", events: [at(0), .broke(ODataError(.unauthorized, "who"))],
            actions: ["begin", "append 0..<10 last", "fail"], state: .paused),
        Course(
            name: "an end that is none of the service's", events: [at(0), page],
            actions: ["begin", "append 0..<10 last", "fail in doubt"], state: .unconfirmed),
        Course(
            name: "cancelled in a part", events: [at(0, parts), .cancelled],
            actions: ["begin", "append 0..<4", "fail"],
            state: .paused),
        Course(
            name: "cancelled in the last append", events: [at(0), .cancelled],
            actions: ["begin", "append 0..<10 last", "fail in doubt"], state: .committing),
        Course(
            name: "an offset beyond the end", events: [at(11)], actions: ["begin", "fail"], state: .failed),
        Course(
            name: "no progress", events: times(6, [at(0)]),
            actions: ["begin"] + times(5, ["append 0..<10 last"]) + ["fail"], state: .failed),
        Course(
            name: "not reachable any more", events: [at(0, parts)] + times(4, [cut(), .waited]) + [cut()],
            actions: ["begin", "append 0..<4"] + times(4, ["pause", "resume"]) + ["fail"], state: .paused),
    ]

    static let continued: [Course] = [
        Course(
            name: "an earlier run had begun", upload: earlier(.appending, 3), events: [at(4), done],
            actions: ["resume", "append 4..<10 last", "finish"], state: .finished),
        Course(
            name: "an earlier run was paused", upload: earlier(.paused, 3), events: [.step(.gone), at(0)],
            actions: ["resume", "begin", "append 0..<10 last"], state: .committing),
        Course(
            name: "an earlier run had sent the end", upload: earlier(.committing, 3), events: [at(10), done],
            actions: ["probe", "append 10..<10 last", "finish"], state: .finished),
        Course(
            name: "an earlier run had sent the end, which is not known any more", upload: earlier(.committing, 3),
            events: [.step(.gone)], actions: ["probe", "fail in doubt"], state: .unconfirmed),
        Course(
            name: "an earlier run had only begun",
            upload: StreamUploadMachine(total: 10, commits: false, state: .beginning, acknowledged: 3), events: [at(0)],
            actions: ["begin", "append 0..<10 last"], state: .committing),
    ]

    /// What comes a second time is progress too.
    private static var goneLate: Course {
        let crumbs = UploadSession(location: "http://h/up/1", partSize: 1)
        let events: [Event] = (0..<9).map { at($0, crumbs) }
        let appends: [String] = (0..<9).map { "append \($0)..<\($0 + 1)" }
        return Course(
            name: "gone behind many parts", events: events + [.step(.gone)] + events + [at(9, crumbs), done],
            actions: ["begin"] + appends + ["begin"] + appends + ["append 9..<10 last", "finish"], state: .finished)
    }

    @Test("What comes of the events", arguments: courses + continued + [goneLate])
    func course(_ course: Course) {
        var upload = course.upload
        var actions = [upload.started().text]
        var furthest: Int64 = 0
        for event in course.events {
            switch event {
            case .step(let step): actions.append(upload.received(step).text)
            case .broke(let error): actions.append(upload.broke(error).text)
            case .cancelled: actions.append(upload.broke(CancellationError()).text)
            case .waited: actions.append(upload.paused().text)
            }
            #expect(upload.furthest >= furthest)
            furthest = upload.furthest
        }
        #expect(actions == course.actions)
        #expect(upload.state == course.state)
        let isGone = course.actions.last == "fail in doubt" && course.isGone
        #expect((upload.session == nil) == ([.failed, .waiting].contains(course.state) || isGone))
    }

    @Test("What is given up says how often it was tried, and what becomes of it", arguments: [1, 5])
    func givenUp(failures: Int) {
        var plan = RetryPlan()
        plan.limit = failures - 1
        var upload = StreamUploadMachine(total: 10, commits: false, plan: plan)
        _ = upload.started()
        var last: StreamUploadMachine.Action?
        for _ in 0..<failures {
            last = upload.broke(ODataError(.unreachable, "No response."))
            if case .pause? = last { _ = upload.paused() }
        }
        guard case .fail(let error)? = last else {
            Issue.record("It is not given up.")
            return
        }
        let more = " The stream was tried 5 times; the next upload continues it."
        #expect((error as? ODataError)?.message == "No response." + (failures == 1 ? "" : more))
    }
}

extension StreamUploadMachine.Action {
    fileprivate var text: String {
        switch self {
        case .begin: "begin"
        case .resume: "resume"
        case .probe: "probe"
        case .append(let range, let isLast, _): "append \(range)\(isLast ? " last" : "")"
        case .commit: "commit"
        case .pause: "pause"
        case .finish: "finish"
        case .sendWhole: "send whole"
        case .fail(let error): (error as? ODataError)?.isOutcomeUnknown == true ? "fail in doubt" : "fail"
        }
    }
}
