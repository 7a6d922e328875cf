import Testing

@testable import ODataTesting

@Suite("What a simulation finds")
struct SimulationVerdictTests {
    private typealias Change = Journal.Change
    private typealias Event = SimulatedService.Event
    private typealias Line = SimulatedState.Line

    private static let created = change(.creation)
    private static let deleted = change(.deletion, token: "t9")
    private static let insert = Event(kind: "insert", marker: "m1")
    private static let delete = Event(kind: "delete", marker: "m1")
    private static let job = Line(set: "Jobs", key: "Jobs(1)", marker: "m1", values: [:])

    private static func change(
        _ kind: Journal.Kind, of marker: String = "m1", token: String? = nil, value: String = "",
        _ fate: Journal.Fate = .accepted, device: Int = 1, changeSet: String? = nil
    ) -> Change {
        Change(
            device: device, kind: kind, marker: marker, token: token ?? marker, value: value, fate: fate,
            changeSet: changeSet)
    }

    private static func value(_ value: String, _ fate: Journal.Fate = .accepted, device: Int = 1) -> Change {
        change(.value(of: "First"), token: value, value: value, fate, device: device)
    }

    private static func written(_ value: String?) -> Event { Event(kind: "First", marker: "m1", value: value) }

    private func failures(
        _ changes: [Change], _ events: [Event], lines: [Line] = [job], archived: Set<String> = [], isTold: Bool = true,
        hasETags: Bool = true
    ) -> [String] {
        SimulationVerdict(
            changes: changes, events: events, state: SimulatedState(lines: lines), archived: [1: archived],
            isTold: isTold, hasETags: hasETags
        ).failures
    }

    @Test("nothing where all was executed once, also where a later value took in an earlier one")
    func sound() {
        let changes = [Self.created, Self.value("v1"), Self.value("v2")]
        #expect(failures(changes, [Self.insert, Self.written("v2")]) == [])
    }

    @Test("entities and values that are lost, unless they stand in the error archive")
    func lost() {
        #expect(failures([Self.created], [], lines: []) == ["m1 was created and is not there"])
        #expect(failures([Self.created], [], lines: [], archived: ["m1"]) == [])
        #expect(failures([Self.created, Self.value("v1")], [Self.insert]) == ["v1 of m1 is lost"])
        #expect(failures([Self.created, Self.value("v1")], [Self.insert], archived: ["v1"]) == [])
        let others = [Self.created, Self.value("v1"), Self.value("v2"), Self.value("v3", device: 2)]
        #expect(
            failures(others, [Self.insert, Self.written("v2"), Self.written("v3"), Self.written("v1")])
                == ["v1 was written to m1 after v2", "First of m1 is v1, not [\"v2\", \"v3\"]"])
        let members = ["City", "Street"].map { name in
            Self.change(.value(of: "Place/\(name)"), token: name, value: name)
        }
        let street = Event(kind: "Place/Street", marker: "m1", value: "Street")
        #expect(failures([Self.created] + members, [Self.insert, street]) == ["City of m1 is lost"])
    }

    @Test("streams that were written twice, unless without ETags nothing else was written in between")
    func repeatedStreams() {
        let changes = [
            Self.created, Self.change(.stream, token: "t1", value: "t1"),
            Self.change(.stream, token: "t2", value: "t2"),
        ]
        let written = ["t1", "t2"].map { Event(kind: "stream", marker: "m1", value: $0) }
        for (order, isDouble, isDoubleWithoutETags) in [
            ([0, 1], false, false), ([0, 0, 1], true, false), ([0, 1, 0, 1], true, true),
        ] {
            let events = [Self.insert] + order.map { written[$0] }
            for hasETags in [true, false] {
                let found = failures(changes, events, hasETags: hasETags).contains("t1 was written to m1 2 times")
                #expect(found == (hasETags ? isDouble : isDoubleWithoutETags), "\(order)")
            }
        }
    }

    @Test("what was executed twice")
    func doubled() {
        let twice = failures([Self.created], [Self.insert, Self.insert], lines: [Self.job, Self.job])
        #expect(twice.contains("m1 was created twice"))
        let again = [Self.insert, Self.written("v1"), Self.written("v2"), Self.written("v1")]
        let changes = [Self.created, Self.value("v1"), Self.value("v2", .possible)]
        #expect(failures(changes, again).contains("v1 was written to m1 2 times"))
        #expect(
            failures([Self.created, Self.value("v1")], [Self.insert, Self.written("v1")], archived: ["v1"])
                .contains("v1 of m1 was executed and is in the error archive"))
    }

    @Test("a value that is written once more, unless a conflict with somebody else's was decided for it")
    func insisted() {
        var mine = Self.value("v1")
        let own = [Self.insert, Self.written("v1"), Self.written("v2"), Self.written("v1")]
        let twice = "v1 was written to m1 2 times"
        for (isInsistedOn, device, isTold) in [(true, 2, true), (true, 1, false), (false, 2, false)] {
            mine.isInsistedOn = isInsistedOn
            let changes = [Self.created, mine, Self.value("v2", .possible, device: device)]
            #expect(failures(changes, own, isTold: isTold).contains(twice))
        }
        mine.isInsistedOn = true
        let changes = [Self.created, mine, Self.value("v2", device: 2)]
        #expect(failures(changes, own, isTold: false) == [])
        // Each time that it is written again must be explained.
        #expect(failures(changes, own + [Self.written("v1")], isTold: false) == [twice])
    }

    /// Seeds 10196 and 10962
    @Test("contents go once more where a conflict was merged, values do not")
    func merged() {
        let stream = { (token: String, device: Int) in
            Self.change(.stream, token: token, value: token, device: device)
        }
        let journal = Journal()
        journal.add([Self.created, stream("t1", 1), Self.value("v1"), stream("t2", 2), Self.value("v2", device: 2)])
        let events = [Self.insert] + ["t1", "t2", "t1"].map { Event(kind: "stream", marker: "m1", value: $0) }
        let values = ["v1", "v2", "v1"].map(Self.written)
        let (content, value) = ("t1 was written to m1 2 times", "v1 was written to m1 2 times")
        let found = { self.failures(journal.changes, events + values, isTold: false) }
        #expect(found() == [content, value])
        journal.insist(on: ["t1", "v1"], device: 2, isMerged: true)
        #expect(found() == [content, value])
        journal.insist(on: ["t1", "v1"], device: 1, isMerged: true)
        #expect(found() == [value])
        journal.insist(on: ["v1"], device: 1)
        #expect(found() == [])
        // Nobody else has written a content between.
        let own = failures(journal.changes, events.filter { $0.value != "t2" } + values, isTold: false)
        #expect(own.contains(content))
    }

    @Test("what was executed although it was taken back, or although nobody wanted it")
    func unwanted() {
        let label = Self.change(.creation, of: "m2")
        let inserts = [Self.insert, Event(kind: "insert", marker: "m2")]
        let lines = [Self.job, Line(set: "Labels", key: "Labels(2)", marker: "m2", values: [:])]
        let cases: [(Change, Event, [Line])] = [
            (Self.value("v1", .undone), Self.written("v1"), lines),
            (Self.change(.creation, of: "m3", .undone), Event(kind: "insert", marker: "m3"), lines),
            (Self.change(.deletion, token: "t1", .undone), Self.delete, lines),
            (
                Self.change(.stream, token: "t1", value: "t1", .undone),
                Event(kind: "stream", marker: "m1", value: "t1"), lines
            ),
            (
                Self.change(.link(label: "m2"), token: "t1", value: "m2", .undone),
                Event(kind: "link", marker: "m1", value: "m2"), lines
            ),
            (
                Self.change(.parent, of: "m2", token: "t1", value: "m1", .undone),
                Event(kind: "parent", marker: "m2", value: "m1"), lines
            ),
        ]
        for (change, event, lines) in cases {
            let found = failures([Self.created, label, change], inserts + [event], lines: lines)
            #expect(found.contains("this was undone: \(event)"))
            let alone = failures([Self.created, label], inserts + [event], lines: lines)
            #expect(alone.contains("this was not requested: \(event)"))
        }
        #expect(
            failures([Self.created], [Self.insert, Self.written(nil)]) == ["this was not requested: First of 'm1'"])
        let stranger = Line(set: "Jobs", key: "Jobs(7)", marker: "", values: [:])
        #expect(failures([Self.created], [Self.insert], lines: [Self.job, stranger]) == ["no client has created "])
    }

    @Test("deletions that are lost; somebody else's changes may have the entity created again")
    func deletions() {
        let lost = ["m1 was deleted and is there"]
        let other = Self.value("v1", device: 2)
        #expect(failures([Self.created, Self.deleted], [Self.insert]) == lost)
        #expect(failures([Self.created, other, Self.deleted], [Self.insert, Self.written("v1")]) == lost)
        let again = [Self.insert, Self.delete, Self.insert]
        #expect(failures([Self.created, Self.deleted], again) == lost)
        #expect(failures([Self.created, Self.deleted, other], again + [Self.written("v1")]) == [])
        #expect(failures([Self.created, Self.deleted], [Self.insert, Self.delete], lines: []) == [])
        #expect(failures([Self.created, Self.deleted], [Self.insert], archived: ["t9"]) == [])
    }

    @Test("streams that are lost, damaged or another device's")
    func streams() {
        let stream = Self.change(.stream, token: "t1", value: "t1")
        var picture = Line(set: "Pictures", key: "Pictures(1)", marker: "m1", values: [:], content: "t1")
        let written = Event(kind: "stream", marker: "m1", value: "t1")
        #expect(failures([Self.created, stream], [Self.insert, written], lines: [picture]) == [])
        #expect(failures([Self.created, stream], [Self.insert], lines: [picture]) == ["t1 of m1 is lost"])
        picture.content = "t1, damaged: 3 bytes"
        #expect(
            failures([Self.created, stream], [Self.insert, written], lines: [picture])
                == ["The stream of m1 is t1, damaged: 3 bytes"])
    }

    @Test("links and moves that are lost")
    func navigation() {
        let changes = [
            Self.created, Self.change(.creation, of: "m2"), Self.change(.creation, of: "m3"),
            Self.change(.link(label: "m2"), token: "t1", value: "m2"),
            Self.change(.parent, of: "m3", token: "t2", value: "m1"),
        ]
        let events = ["m1", "m2", "m3"].map { Event(kind: "insert", marker: $0) }
        var lines = [
            Self.job, Line(set: "Labels", key: "Labels(2)", marker: "m2", values: [:]),
            Line(set: "Parts", key: "Parts(3)", marker: "m3", values: [:]),
        ]
        #expect(
            failures(changes, events, lines: lines) == [
                "m1 link(label: \"m2\") is '', not [\"m2\"]", "m3 parent is '', not [\"m1\"]",
            ])
        lines[0].labels = ["Labels(2)"]
        lines[2].values["JobID"] = "1"
        #expect(failures(changes, events, lines: lines) == [])
    }

    @Test("change sets of which only a part was executed")
    func changeSets() {
        let changes = [
            Self.change(.creation, changeSet: "m1"), Self.change(.creation, of: "m2", changeSet: "m1"),
        ]
        let found = failures(changes, [Self.insert], archived: ["m2"])
        #expect(found == ["Of the change set m1 was executed all but [\"m2\"]"])
        #expect(failures(changes, [], lines: [], archived: ["m1", "m2"]) == [])
    }

    /// Seed 5629
    @Test("change sets without a value, unless a later one took its place when they were mended")
    func mendedChangeSet() {
        let journal = Journal()
        let later = Self.value("v2")
        journal.add([
            Self.change(.creation, changeSet: "m1"),
            Self.change(.value(of: "First"), token: "v1", value: "v1", changeSet: "m1"), later,
        ])
        let events = [Self.insert, Self.written("v2")]
        let broken = ["Of the change set m1 was executed all but [\"v1\"]"]
        #expect(failures(journal.changes, events) == broken)
        journal.mend(["v1"], by: [Self.value("v3", device: 2), Self.change(.value(of: "Second"), token: "v4")])
        journal.mend(["m1"], by: [later])
        #expect(failures(journal.changes, events) == broken)
        journal.mend(["v1"], by: [later])
        #expect(failures(journal.changes, events) == [])
    }

    @Test("what devices show that the service has not, or twice")
    func differences() {
        let service = SimulatedState(lines: [Self.job])
        var other = Self.job
        other.values["First"] = "v1"
        let state = SimulatedState(lines: [other, other])
        #expect(service.differences(from: service, named: "device 1") == [])
        #expect(
            service.differences(from: state, named: "device 1") == [
                "Jobs Jobs(1): device 1 has m1 First=v1, the service m1", "device 1 shows an entity twice",
            ])
        #expect(
            service.differences(from: SimulatedState(lines: []), named: "device 1")
                == ["Jobs Jobs(1): device 1 has nothing, the service m1"])
    }
}
