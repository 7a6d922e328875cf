/// What the plan of an upload must know of a queued request.
struct UploadItem: Sendable {
    var id: Int64
    var set: String
    var operation: QueueRecord.Operation
    var changeSet: Int64?
    var dependsOn: [Int64]
    var isUnconfirmed: Bool
    var category: String?
}

extension UploadItem {
    /// Of a request that was not sent.
    init(_ record: QueueRecord) {
        self.init(
            id: record.id, set: record.set, operation: record.operation, changeSet: record.changeSet,
            dependsOn: record.dependsOn, isUnconfirmed: false, category: record.category)
    }
}

/// Requests that are sent as one and have one response: a single one, or a change set.
struct UploadUnit: Sendable, Hashable {
    var place: Int
    var ids: [Int64]
    var isUnconfirmed: Bool
    var hasStream: Bool
}

/// Decides what is sent next, together and in parallel, and what must wait. A value without any input or output.
///
/// A request is sent when all it depends on was executed. Deletions wait until earlier requests for what may refer to
/// the deleted entity were sent; in one batch they come behind them. They do not wait for what was refused, but for what
/// is only not to be sent now, and for what depends on that.
struct UploadPlan: Sendable {
    enum Step: Sendable {
        /// To be sent together.
        case send([UploadUnit])
        /// May have been executed: to be found out.
        case confirm(UploadUnit)
        /// Not to be sent, because requests that they depend on failed.
        case hold([UploadUnit])
    }

    enum Outcome: Sendable {
        case executed
        /// Refused, held, or without a response: dependent units wait.
        case blocked
        /// Not to be sent now, although the service has not refused it: dependent units and later deletions wait.
        case stopped
        /// Neither executed nor refused: to be sent again.
        case open
        /// The outcome is unknown and must be probed.
        case doubtful
    }

    /// The app's control of requests with streams, by id.
    struct Control: Sendable {
        /// Requests that wait until nothing else is left.
        var paused: Set<Int64> = []
        /// Requests that are not sent.
        var cancelled: Set<Int64> = []
        /// Priorities, the greatest first; 0 for others.
        var priorities: [Int64: Int] = [:]
    }

    private enum State { case waiting, sending, executed, blocked }

    /// Another unit must have been executed before a request.
    private struct Need {
        var id: Int64
        var place: Int
    }

    private struct Entry {
        var unit: UploadUnit
        var needs: [Need]
        /// Sets whose earlier requests come first.
        var behind: Set<String>
        var sets: Set<String>
        var state = State.waiting
    }

    private var entries: [Entry] = []
    private var placeOfID: [Int64: Int] = [:]
    /// The places of the units that are about a set, and how many of them at the start are settled.
    private var placesOfSet: [String: (places: [Int], settled: Int)] = [:]
    private var placeOfChangeSet: [Int64: Int] = [:]
    /// The places of the blocked units that were only not to be sent now, and of those that are held because of them.
    private var stopped: Set<Int> = []
    private var start = 0
    private let dependents: [String: Set<String>]
    private var control = Control()
    /// The most requests of a batch.
    private(set) var limit: Int

    /// - Parameter dependents: By set, the sets whose entities refer to its entities.
    init(_ items: [UploadItem], dependents: [String: Set<String>], limit: Int) {
        self.limit = max(limit, 1)
        self.dependents = dependents
        add(items)
    }

    /// Takes in requests.
    mutating func add(_ items: [UploadItem]) {
        for item in items { place(item) }
        update(items)
    }

    /// What requests depend on now. It may be a later one: what an entity is created again by.
    mutating func update(_ items: [UploadItem]) {
        for item in items {
            guard let place = placeOfID[item.id] else { continue }
            entries[place].needs.removeAll { $0.id == item.id }
            let others = item.dependsOn.compactMap { placeOfID[$0] }.filter { $0 != place }
            entries[place].needs += others.map { Need(id: item.id, place: $0) }
        }
    }

    func contains(_ id: Int64) -> Bool { placeOfID[id] != nil }

    /// The number of requests, with those that are done.
    var count: Int { placeOfID.count }

    private mutating func place(_ item: UploadItem) {
        let place = item.changeSet.flatMap { placeOfChangeSet[$0] } ?? entries.count
        if place == entries.count {
            let unit = UploadUnit(place: place, ids: [], isUnconfirmed: false, hasStream: false)
            entries.append(Entry(unit: unit, needs: [], behind: [], sets: []))
            if let changeSet = item.changeSet { placeOfChangeSet[changeSet] = place }
        }
        placeOfID[item.id] = place
        entries[place].unit.ids.append(item.id)
        entries[place].unit.isUnconfirmed = entries[place].unit.isUnconfirmed || item.isUnconfirmed
        entries[place].unit.hasStream = entries[place].unit.hasStream || item.operation.hasStream
        if entries[place].sets.insert(item.set).inserted {
            placesOfSet[item.set, default: ([], 0)].places.append(place)
        }
        if item.operation == .delete { entries[place].behind.formUnion(dependents[item.set] ?? []) }
    }

    /// What is to be done next; nil if nothing can be done before a request that was sent has its response.
    mutating func next() -> Step? {
        while start < entries.count, entries[start].state == .executed || entries[start].state == .blocked {
            start += 1
        }
        var taken: [Int] = []
        var count = 0
        var held: [UploadUnit] = []
        for place in start..<entries.count where entries[place].state == .waiting {
            if entries[place].needs.contains(where: { entries[$0.place].state == .blocked }) {
                entries[place].state = .blocked
                if entries[place].needs.contains(where: { stopped.contains($0.place) }) { stopped.insert(place) }
                held.append(entries[place].unit)
                continue
            }
            guard !isPaused(place), isReady(place, with: taken) else { continue }
            let unit = entries[place].unit
            if unit.isUnconfirmed || unit.hasStream {
                // What is found out first can go into the same batch.
                guard held.isEmpty, taken.isEmpty || unit.isUnconfirmed else { continue }
                let chosen = unit.isUnconfirmed ? place : preferred(to: place)
                entries[chosen].state = .sending
                return unit.isUnconfirmed ? .confirm(unit) : .send([entries[chosen].unit])
            }
            guard taken.isEmpty || count + unit.ids.count <= limit else { break }
            taken.append(place)
            count += unit.ids.count
            if count >= limit { break }
        }
        guard held.isEmpty else { return .hold(held) }
        guard !taken.isEmpty else { return nil }
        for place in taken { entries[place].state = .sending }
        return .send(taken.map { entries[$0].unit })
    }

    private func isPaused(_ place: Int) -> Bool {
        !control.paused.isEmpty && entries[place].unit.ids.contains(where: control.paused.contains)
    }

    /// Of the streams that could be sent in the place of this one, the first of those with the greatest priority.
    private mutating func preferred(to place: Int) -> Int {
        guard !control.priorities.isEmpty else { return place }
        var (best, greatest) = (place, priority(of: place))
        for other in (place + 1)..<entries.count where entries[other].state == .waiting {
            let unit = entries[other].unit
            guard unit.hasStream, !unit.isUnconfirmed, priority(of: other) > greatest, !isPaused(other),
                isReady(other, with: [])
            else { continue }
            (best, greatest) = (other, priority(of: other))
        }
        return best
    }

    private func priority(of place: Int) -> Int {
        entries[place].unit.ids.compactMap { control.priorities[$0] }.max() ?? 0
    }

    private mutating func isReady(_ place: Int, with taken: [Int]) -> Bool {
        guard entries[place].needs.allSatisfy({ entries[$0.place].state == .executed }) else { return false }
        for set in entries[place].behind {
            guard case (let places, var settled)? = placesOfSet[set] else { continue }
            while settled < places.count, isSettled(places[settled]) { settled += 1 }
            placesOfSet[set] = (places, settled)
            for other in places[settled...] where other < place {
                guard isSettled(other) || taken.contains(other) else { return false }
            }
        }
        return true
    }

    /// Whether no deletion waits for it.
    private func isSettled(_ place: Int) -> Bool {
        entries[place].state == .executed || entries[place].state == .blocked && !stopped.contains(place)
    }

    mutating func settle(_ unit: UploadUnit, _ outcome: Outcome) {
        switch outcome {
        case .executed: entries[unit.place].state = .executed
        case .blocked: entries[unit.place].state = .blocked
        case .stopped: stop(unit.place)
        case .open, .doubtful:
            entries[unit.place].state = .waiting
            entries[unit.place].unit.isUnconfirmed = outcome == .doubtful
        }
    }

    /// Applies the app's control from now on.
    ///
    /// - Returns: Units that waited and are not sent.
    mutating func apply(_ control: Control) -> [UploadUnit] {
        self.control = control
        return block(control.cancelled)
    }

    /// Stops waiting for paused units.
    mutating func blockPaused() -> [UploadUnit] { block(control.paused) }

    private mutating func block(_ ids: Set<Int64>) -> [UploadUnit] {
        let places = Set(ids.compactMap { placeOfID[$0] }).sorted().filter { entries[$0].state == .waiting }
        for place in places { stop(place) }
        return places.map { entries[$0].unit }
    }

    private mutating func stop(_ place: Int) {
        entries[place].state = .blocked
        stopped.insert(place)
    }

    /// The service does not take a batch of this many requests.
    mutating func reduceLimit(below count: Int) { limit = max(1, min(limit, count) / 2) }

    /// The requests that were neither executed nor refused nor held.
    var left: [Int64] {
        entries.filter { $0.state == .waiting || $0.state == .sending }.flatMap(\.unit.ids)
    }
}
