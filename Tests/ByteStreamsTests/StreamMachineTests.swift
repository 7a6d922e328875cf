import Testing

@testable import ByteStreams

/// Scripts of what happens to a stream, each with what it says after every step.
@Suite struct StreamMachineTests {
    private struct Broken: Error {}

    enum Step: String {
        case open, opened, openedEmpty, bytes, nothing, end, fail, read, readNothing, readLast, seek, close, events

        func apply(to machine: inout StreamMachine) -> String {
            switch self {
            case .open: return machine.open() ? "begin" : "no"
            case .opened: machine.opened(.nothing)
            case .openedEmpty: machine.opened(.end)
            case .bytes: machine.supplied(.bytes)
            case .nothing: machine.supplied(.nothing)
            case .end: machine.supplied(.end)
            case .fail: machine.supplied(.failure(Broken()))
            case .read, .readNothing, .readLast:
                let admission = machine.admitRead()
                guard admission == .allowed else { return "\(admission)" }
                machine.read(self == .readNothing ? 0 : 10, then: self == .read ? .nothing : .end)
            case .seek: return machine.seek(to: 3, .nothing) ? "\(machine.offset)" : "no"
            case .close: return machine.close() ? "close" : "no"
            case .events:
                var events: [String] = []
                while let event = machine.takeEvent() { events.append("\(event)") }
                return events.joined(separator: " ")
            }
            return "\(machine.phase)"
        }
    }

    private func run(_ script: String, isSynchronous: Bool) throws -> String {
        var machine = StreamMachine(isSynchronous: isSynchronous)
        return try script.split(separator: " ").map { name in
            try #require(Step(rawValue: String(name)), "\(name)").apply(to: &machine)
        }.joined(separator: ", ")
    }

    @Test(arguments: [
        // All events, in order and once.
        ("open opened bytes events", "begin, open, open, openCompleted hasBytesAvailable"),
        ("open events opened events", "begin, , open, openCompleted"),
        ("open opened bytes events bytes events", "begin, open, open, openCompleted hasBytesAvailable, open, "),
        ("open opened events bytes events read events", "begin, open, openCompleted, open, hasBytesAvailable, open, "),
        (
            "open opened events bytes read bytes events",
            "begin, open, openCompleted, open, open, open, hasBytesAvailable"
        ),
        (
            "open opened bytes readLast events events",
            "begin, open, open, atEnd, openCompleted endEncountered, "
        ),
        ("open opened events end events end events", "begin, open, openCompleted, atEnd, endEncountered, atEnd, "),
        // Events that were not taken are not counted twice, and what is over is not told.
        ("open opened bytes nothing events", "begin, open, open, open, openCompleted"),
        ("open opened bytes end events", "begin, open, open, atEnd, openCompleted endEncountered"),
        ("open opened bytes fail events events", "begin, open, open, failed, openCompleted errorOccurred, "),
        // An empty source.
        ("open openedEmpty events read", "begin, atEnd, openCompleted endEncountered, end"),
        // Opened once.
        ("open open opened open", "begin, no, open, no"),
        ("open opened end open", "begin, open, atEnd, no"),
        ("open fail open", "begin, failed, no"),
        ("open opened close open", "begin, open, close, no"),
        // Nothing after close, in every state.
        ("close open", "no, begin"),
        ("open close opened events", "begin, close, closed, "),
        ("open opened bytes close events", "begin, open, open, close, "),
        ("open opened end close events close", "begin, open, atEnd, close, , no"),
        ("open fail close events", "begin, failed, close, "),
        // Errors, in every state.
        ("fail", "notOpen"),
        ("open fail events read", "begin, failed, errorOccurred, refused"),
        ("open opened events fail events events", "begin, open, openCompleted, failed, errorOccurred, "),
        ("open opened end fail events", "begin, open, atEnd, atEnd, openCompleted endEncountered"),
        ("open opened close fail events", "begin, open, close, closed, "),
        (
            "open opened fail fail end bytes events",
            "begin, open, failed, failed, failed, failed, openCompleted errorOccurred"
        ),
        // Reads, in every state.
        ("read", "refused"),
        ("open read", "begin, refused"),
        ("open opened close read", "begin, open, close, refused"),
        ("open opened readNothing read events", "begin, open, atEnd, end, openCompleted endEncountered"),
        // Offsets, in every state.
        ("seek open opened", "3, begin, open"),
        ("open seek opened", "begin, 3, open"),
        (
            "open opened readLast seek bytes events",
            "begin, open, atEnd, 3, open, openCompleted hasBytesAvailable"
        ),
        (
            "open opened readLast events seek events end events",
            "begin, open, atEnd, openCompleted endEncountered, 3, , atEnd, endEncountered"
        ),
        (
            "open opened bytes events seek bytes events",
            "begin, open, open, openCompleted hasBytesAvailable, 3, open, hasBytesAvailable"
        ),
        ("open fail seek", "begin, failed, no"),
        ("open opened close seek", "begin, open, close, no"),
    ])
    func asynchronous(script: String, said: String) throws {
        #expect(try run(script, isSynchronous: false) == said)
    }

    @Test(arguments: [
        // There may always be bytes until the end is known.
        ("open opened events read events", "begin, open, openCompleted hasBytesAvailable, open, hasBytesAvailable"),
        ("open opened events readLast events", "begin, open, openCompleted hasBytesAvailable, atEnd, endEncountered"),
        (
            "open opened events readNothing events",
            "begin, open, openCompleted hasBytesAvailable, atEnd, endEncountered"
        ),
        ("open opened end read events", "begin, open, open, end, openCompleted endEncountered"),
        // An empty source is open until a read or an event brings its end.
        ("open openedEmpty read events", "begin, open, end, openCompleted endEncountered"),
        ("open openedEmpty events read", "begin, open, openCompleted endEncountered, end"),
        (
            "open opened events fail read events",
            "begin, open, openCompleted hasBytesAvailable, failed, refused, errorOccurred"
        ),
    ])
    func synchronous(script: String, said: String) throws {
        #expect(try run(script, isSynchronous: true) == said)
    }

    /// Every four of eight things that can happen, one after the other: whatever they are, the events keep their rules.
    @Test(arguments: [true, false])
    func everyOrder(isSynchronous: Bool) {
        let steps: [Step] = [.opened, .bytes, .read, .readLast, .end, .fail, .close, .seek]
        var runs = 0
        func walk(_ machine: StreamMachine, _ told: [StreamMachine.Event], depth: Int) {
            guard depth > 0 else {
                runs += 1
                return
            }
            for step in steps {
                var machine = machine
                let wasClosed = machine.phase == .closed
                _ = step.apply(to: &machine)
                var events = step == .seek ? told.filter { $0 != .endEncountered } : told
                while let event = machine.takeEvent() {
                    #expect(!wasClosed && machine.phase != .closed)
                    #expect(!events.isEmpty || event == .openCompleted || event == .errorOccurred)
                    #expect(event == .hasBytesAvailable || !events.contains(event), "\(events) \(event)")
                    #expect(events.last != .errorOccurred && (events.last != .endEncountered))
                    events.append(event)
                }
                walk(machine, events, depth: depth - 1)
            }
        }
        var machine = StreamMachine(isSynchronous: isSynchronous)
        #expect(Step.open.apply(to: &machine) == "begin")
        walk(machine, [], depth: 4)
        #expect(runs == 4096)
    }
}
