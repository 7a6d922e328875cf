import ODataMedia
import ODataStores
import Testing

@Suite("Transfer schedule")
struct TransferScheduleTests {
    enum Step: Sendable {
        case add(String, host: String = "", priority: Int = 0, isPaused: Bool = false)
        /// At this second these start.
        case start(Int, [String])
        case stopped(String, until: Int? = nil, holdsHost: Bool = false)
        case over(String)
        /// Whether it runs.
        case pause(String, Bool)
        case resume(String)
        case priority(Int, String)
        /// Time counts from another moment.
        case clock
        case idle
    }

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var limit = 1
        var hostLimit: Int?
        var steps: [Step]

        init(_ name: String, limit: Int = 1, hostLimit: Int? = nil, _ steps: [Step]) {
            (testDescription, self.limit, self.hostLimit, self.steps) = (name, limit, hostLimit, steps)
        }
    }

    static let courses = [
        Course("nothing to do", [.start(0, []), .idle]),
        Course(
            "in order, no more than the limit", limit: 2,
            [
                .add("a"), .add("b"), .add("c"), .add("a"), .start(0, ["a", "b"]), .start(0, []), .over("b"),
                .start(0, ["c"]), .over("a"), .over("c"), .start(0, []), .idle,
            ]),
        Course(
            "the greatest priority first",
            limit: 9,
            [
                .add("a"), .add("b", priority: -1), .add("c", priority: 2), .add("d"), .add("e", priority: 2),
                .start(0, ["c", "e", "a", "d", "b"]),
            ]),
        Course(
            "no more of a host than its limit, while others come", limit: 3, hostLimit: 1,
            [
                .add("a", host: "x", priority: 1), .add("b", host: "x"), .add("c", host: "y"), .add("d", host: "y"),
                .start(0, ["a", "c"]), .over("c"), .start(0, ["d"]), .over("a"), .start(0, ["b"]),
            ]),
        Course(
            "one that waits leaves its place, and comes back before those that came later",
            [
                .add("a"), .add("b"), .add("c"), .start(0, ["a"]), .stopped("a", until: 5), .start(1, ["b"]),
                .start(5, []), .over("b"), .start(5, ["a"]), .over("a"), .start(5, ["c"]), .over("c"), .idle,
            ]),
        Course(
            "a host that wants to be left alone is, also by those that wait already", limit: 2,
            [
                .add("a", host: "x"), .add("b", host: "x"), .add("c", host: "y"), .add("d", host: "x"),
                .start(0, ["a", "b"]), .stopped("a", until: 9, holdsHost: true), .start(1, ["c"]),
                .stopped("b", until: 4, holdsHost: true), .over("c"), .start(8, []), .start(9, ["a", "b"]),
            ]),
        Course(
            "waits of another time do not count",
            [
                .add("a"), .add("b"), .start(0, ["a"]), .stopped("a", until: 9, holdsHost: true), .start(1, []), .clock,
                .start(0, ["a"]),
            ]),
        Course(
            "paused while it waits",
            [
                .add("a"), .add("b"), .pause("a", false), .start(0, ["b"]), .over("b"), .start(0, []), .idle,
                .resume("a"), .start(0, ["a"]),
            ]),
        Course(
            "paused while it runs: its place is free when it has stopped",
            [
                .add("a"), .add("b"), .start(0, ["a"]), .pause("a", true), .start(0, []), .stopped("a"),
                .start(0, ["b"]), .over("b"), .idle, .resume("a"), .start(0, ["a"]), .over("a"), .idle,
            ]),
        Course(
            "resumed before it has stopped",
            [.add("a"), .start(0, ["a"]), .pause("a", true), .resume("a"), .stopped("a"), .start(0, ["a"])]),
        Course(
            "paused while it waits for its time",
            [
                .add("a"), .start(0, ["a"]), .stopped("a", until: 9), .pause("a", false), .idle, .start(9, []),
                .resume("a"), .start(1, ["a"]),
            ]),
        Course("added as paused", [.add("a", isPaused: true), .idle, .resume("a"), .start(0, ["a"])]),
        Course(
            "another priority while it waits, runs, or waits for its time",
            [
                .add("a"), .add("b"), .add("c"), .priority(1, "c"), .start(0, ["c"]), .priority(-1, "c"),
                .stopped("c"), .start(0, ["a"]), .stopped("a", until: 3), .priority(-2, "a"), .start(3, ["b"]),
                .over("b"), .start(3, ["c"]), .over("c"), .start(3, ["a"]),
            ]),
        Course(
            "what is unknown or over changes nothing",
            [
                .resume("a"), .stopped("a", until: 1), .priority(1, "a"), .pause("a", false), .over("a"), .idle,
                .add("a"), .stopped("a"), .start(0, ["a"]), .over("a"), .over("a"), .add("b"), .start(0, ["b"]),
            ]),
        Course(
            "removed from the middle of the queue", limit: 9,
            [
                .add("a"), .add("b"), .add("c", priority: 1), .add("d"), .over("b"), .over("c"),
                .start(0, ["a", "d"]),
            ]),
    ]

    @Test("It starts what may run", arguments: courses)
    func course(_ course: Course) {
        var schedule = TransferSchedule(limit: course.limit, hostLimit: course.hostLimit)
        for (number, step) in course.steps.enumerated() {
            let place = Comment(rawValue: "step \(number): \(step)")
            switch step {
            case .add(let id, let host, let priority, let isPaused):
                schedule.add(.init(id), host: host, priority: priority, isPaused: isPaused)
            case .start(let second, let ids):
                let started = schedule.start(at: .seconds(second)).map(\.description)
                #expect(started == ids, place)
            case .stopped(let id, let until, let holdsHost):
                schedule.stopped(.init(id), until: until.map { .seconds($0) }, holdsHost: holdsHost)
            case .over(let id):
                schedule.remove(.init(id))
            case .pause(let id, let runs):
                let hasToStop = schedule.pause(.init(id))
                #expect(hasToStop == runs, place)
            case .resume(let id):
                schedule.resume(.init(id))
            case .priority(let priority, let id):
                schedule.setPriority(priority, of: .init(id))
            case .clock:
                schedule.beginTime()
            case .idle:
                #expect(!schedule.isBusy, place)
            }
        }
    }

    @Test("Many come in their order, none twice, never more than may")
    func many() {
        var schedule = TransferSchedule(limit: 4, hostLimit: 3)
        for number in 0..<5_000 {
            schedule.add(.init("\(number)"), host: "\(number % 3)", priority: number % 7)
        }
        var order: [Int] = []
        var running: [TransferSchedule.ID] = []
        while schedule.isBusy {
            let started = schedule.start(at: .zero)
            order += started.compactMap { Int($0.description) }
            running += started
            #expect(running.count <= 4)
            for host in 0..<3 { #expect(running.count { (Int($0.description) ?? 0) % 3 == host } <= 3) }
            guard !running.isEmpty else { break }
            schedule.remove(running.removeFirst())
        }
        #expect(order.count == 5_000)
        #expect(Set(order).count == 5_000)
        for host in 0..<3 {
            let ofHost = order.filter { $0 % 3 == host }
            #expect(ofHost == ofHost.sorted { (-($0 % 7), $0) < (-($1 % 7), $1) })
        }
    }
}
