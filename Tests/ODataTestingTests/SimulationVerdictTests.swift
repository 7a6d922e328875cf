import Testing

@testable import ODataTesting

@Suite("What a simulation finds")
struct SimulationVerdictTests {
    private typealias Change = Journal.Change
    private typealias Event = SimulatedService.Event

    private let created = Change(device: 1, kind: .creation, marker: "m1", token: "m1", fate: .accepted)
    private let insert = Event(kind: "insert", marker: "m1")

    private func value(_ value: String, _ fate: Journal.Fate = .accepted) -> Change {
        Change(device: 1, kind: .value(of: "First"), marker: "m1", token: value, value: value, fate: fate)
    }

    private func written(_ value: String) -> Event { Event(kind: "First", marker: "m1", value: value) }

    private func failures(
        _ changes: [Change], _ events: [Event], live: [String] = ["m1"], archived: Set<String> = []
    ) -> [String] {
        let lines = live.map { SimulatedState.Line(set: "Jobs", key: "Jobs(1)", marker: $0, values: [:]) }
        return SimulationVerdict(
            changes: changes, events: events, state: SimulatedState(lines: lines), archived: [1: archived]
        ).failures
    }

    @Test("nothing where all was executed once, also where a later value took in an earlier one")
    func sound() {
        #expect(failures([created, value("v1"), value("v2")], [insert, written("v2")]) == [])
    }

    @Test("entities and values that are lost, unless they stand in the error archive")
    func lost() {
        #expect(failures([created], [], live: []) == ["m1 was created and is not there"])
        #expect(failures([created], [], live: [], archived: ["m1"]) == [])
        #expect(failures([created, value("v1")], [insert]) == ["v1 of m1 is lost"])
        #expect(failures([created, value("v1")], [insert], archived: ["v1"]) == [])
    }

    @Test("what was executed twice, or in another order")
    func doubled() {
        #expect(failures([created], [insert, insert], live: ["m1", "m1"]).contains("m1 was created twice"))
        let again = [insert, written("v1"), written("v2"), written("v1")]
        #expect(failures([created, value("v1")], again) == ["v1 was written to m1 2 times"])
        #expect(
            failures([created, value("v1"), value("v2")], [insert, written("v2"), written("v1")])
                == ["v1 was written to m1 after v2"])
    }

    @Test("what was executed although it was taken back")
    func undone() {
        #expect(
            failures([created, value("v1", .undone)], [insert, written("v1")])
                == ["v1 was written to m1 although undone"])
    }
}
