import Testing

@testable import ODataOffline

@Suite("The plan of an upload")
struct UploadPlanTests {
    private func item(
        _ id: Int64, _ set: String = "Orders", _ operation: QueueRecord.Operation = .update, after: [Int64] = [],
        changeSet: Int64? = nil, isUnconfirmed: Bool = false
    ) -> UploadItem {
        UploadItem(
            id: id, set: set, operation: operation, changeSet: changeSet, dependsOn: after,
            isUnconfirmed: isUnconfirmed, category: nil)
    }

    /// What is sent in each step if everything succeeds but `refused`; `?` and `!` are what is to be found out and
    /// what is held.
    private func steps(_ items: [UploadItem], limit: Int = 100, refused: Set<Int64> = []) -> [String] {
        var plan = UploadPlan(items, dependents: ["Orders": ["Items"]], limit: limit)
        var steps: [String] = []
        while let step = plan.next() {
            switch step {
            case .send(let units):
                steps.append(units.flatMap(\.ids).map(String.init).joined(separator: " "))
                for unit in units { plan.settle(unit, refused.contains(unit.ids[0]) ? .blocked : .executed) }
            case .confirm(let unit):
                steps.append("?\(unit.ids[0])")
                plan.settle(unit, .executed)
            case .hold(let units): steps.append("!" + units.flatMap(\.ids).map(String.init).joined(separator: " "))
            }
        }
        #expect(plan.left.isEmpty)
        return steps
    }

    @Test("What does not depend on each other goes together")
    func batch() {
        #expect(steps([item(1), item(2, after: [1]), item(3), item(4, after: [2])]) == ["1 3", "2", "4"])
        #expect(steps((1...5).map { item($0) }, limit: 2) == ["1 2", "3 4", "5"])
    }

    @Test("A change set is one; it is not split for the limit")
    func changeSet() {
        let items = [item(1), item(2, changeSet: 7), item(3, changeSet: 7), item(4, after: [3])]
        #expect(steps(items) == ["1 2 3", "4"])
        #expect(steps(items, limit: 1) == ["1", "2 3", "4"])
        #expect(steps(items, refused: [2]) == ["1 2 3", "!4"])
    }

    @Test("What depends on something refused is held, and what depends on that")
    func held() {
        #expect(steps([item(1), item(2, after: [1]), item(3, after: [2]), item(4)], refused: [1]) == ["1 4", "!2 3"])
    }

    @Test("A deletion comes behind earlier requests for what may refer to the entity, in the same batch or later")
    func deletion() {
        #expect(
            steps([item(1, "Items", .delete), item(2, "Orders", .delete), item(3, "Items", .delete)]) == ["1 2 3"])
        let waits = [item(1, "Items"), item(2, "Items", .delete, after: [1]), item(3, "Orders", .delete)]
        #expect(steps(waits) == ["1", "2 3"])
        #expect(steps(waits, refused: [1]) == ["1", "!2", "3"])
    }

    @Test("Streams and what may have been executed go by themselves")
    func alone() {
        let items = [
            item(1), item(2, "Photos", .createMedia), item(3), item(4, isUnconfirmed: true), item(5, after: [4]),
        ]
        #expect(steps(items) == ["?4", "1 3 5", "2"])
    }

    /// As it says at the end of a run: what was left, and what is done then.
    private func rest(of plan: inout UploadPlan) -> [String] {
        let paused = plan.blockPaused().flatMap(\.ids).map { "-\($0)" }
        guard case .hold(let units)? = plan.next() else { return paused }
        return paused + units.flatMap(\.ids).map { "!\($0)" }
    }

    @Test("What is paused waits until nothing else is left, and so does what depends on it")
    func paused() throws {
        let items = [
            item(1, "Photos", .replaceStream), item(2, "Photos", after: [1]), item(3, "Photos", .replaceStream),
            item(4),
        ]
        var plan = UploadPlan(items, dependents: [:], limit: 1)
        let left = plan.apply(.init(paused: [1]))
        #expect(left.isEmpty)
        var sent: [Int64] = []
        while case .send(let units)? = plan.next() {
            sent += units.flatMap(\.ids)
            for unit in units { plan.settle(unit, .executed) }
        }
        #expect(sent == [3, 4])
        var resumed = plan
        let ends = rest(of: &plan)
        #expect(ends == ["-1", "!2"] && plan.left.isEmpty)
        _ = resumed.apply(.init())
        guard case .send(let units)? = resumed.next() else { throw UploadPlanFailure() }
        #expect(units.flatMap(\.ids) == [1])
        // What is not known to have been executed is not found out either.
        resumed.settle(units[0], .doubtful)
        _ = resumed.apply(.init(paused: [1]))
        let step = resumed.next()
        #expect(step == nil)
        _ = resumed.apply(.init())
        guard case .confirm(let unit)? = resumed.next() else { throw UploadPlanFailure() }
        #expect(unit.ids == [1])
    }

    @Test("What is cancelled is not sent, and what depends on it is held")
    func cancelled() throws {
        let items = [item(1, "Photos", .replaceStream), item(2, "Photos", after: [1]), item(3)]
        var plan = UploadPlan(items, dependents: [:], limit: 1)
        let left = plan.apply(.init(cancelled: [1]))
        let again = plan.apply(.init(cancelled: [1]))
        #expect(left.flatMap(\.ids) == [1] && again.isEmpty)
        guard case .hold(let units)? = plan.next() else { throw UploadPlanFailure() }
        #expect(units.flatMap(\.ids) == [2])
        #expect(plan.left == [3])
    }

    enum Stop: CaseIterable {
        case pause, cancellation, cancellationOnItsWay
    }

    @Test(
        "A deletion does not overtake what is not to be sent now, nor what is held because of that",
        arguments: Stop.allCases)
    func deletionBehindStopped(by stop: Stop) {
        let items = [
            item(1, "Items", .replaceStream), item(2, "Items", after: [1]), item(3, "Orders", .delete),
            item(4, "Items", .delete),
        ]
        var plan = UploadPlan(items, dependents: ["Orders": ["Items"]], limit: 100)
        var steps: [String] = []
        if stop == .pause { _ = plan.apply(.init(paused: [1])) }
        if stop == .cancellation { _ = plan.apply(.init(cancelled: [1])) }
        while true {
            guard let step = plan.next() else {
                guard !plan.blockPaused().isEmpty else { break }
                continue
            }
            let ids = step.units.flatMap(\.ids)
            if case .hold = step {
                steps += ids.map { "!\($0)" }
                continue
            }
            steps += ids.map { "\($0)" }
            for unit in step.units { plan.settle(unit, unit.ids == [1] ? .stopped : .executed) }
        }
        #expect(steps == (stop == .pause ? ["4", "!2"] : stop == .cancellation ? ["!2", "4"] : ["1", "!2", "4"]))
        #expect(plan.left == [3])
    }

    @Test("Streams change places with each other by priority, never with what they depend on")
    func priorities() {
        let items = [
            item(1, "Photos", .replaceStream), item(2, "Photos", .replaceStream),
            item(3, "Photos", .replaceStream, after: [2]), item(4), item(5, "Photos", .replaceStream),
        ]
        var plan = UploadPlan(items, dependents: [:], limit: 1)
        _ = plan.apply(.init(priorities: [1: -1, 3: 9, 5: 2]))
        var sent: [Int64] = []
        while case .send(let units)? = plan.next() {
            sent += units.flatMap(\.ids)
            for unit in units { plan.settle(unit, .executed) }
        }
        #expect(sent == [5, 2, 3, 1, 4])
    }

    @Test("Nothing more than the width is on its way; a batch that was too large is halved")
    func limits() throws {
        var plan = UploadPlan((1...8).map { item($0) }, dependents: [:], limit: 4)
        guard case .send(let first)? = plan.next() else { throw UploadPlanFailure() }
        #expect(first.flatMap(\.ids) == [1, 2, 3, 4])
        for unit in first { plan.settle(unit, .open) }
        plan.reduceLimit(below: 4)
        guard case .send(let second)? = plan.next() else { throw UploadPlanFailure() }
        #expect(second.flatMap(\.ids) == [1, 2])
        #expect(plan.left.count == 8)
    }

    private struct UploadPlanFailure: Error {}
}
