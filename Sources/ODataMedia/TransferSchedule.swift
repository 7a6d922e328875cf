import ODataStores

/// Which transfers run: a value without clock and input, which receives events and returns the transfers to start.
///
/// The greatest priority is first, equal ones in the order they were added. Of one host no more than its limit run,
/// and none before the time that the host or the transfer itself has to wait for. Times count from any one moment.
package struct TransferSchedule: Sendable {
    package typealias ID = TransferSnapshot.ID

    private enum State: Hashable {
        case waiting
        case delayed(until: Duration)
        /// It is to pause as soon as it has stopped.
        case running(isPaused: Bool)
        case paused
    }

    private struct Entry {
        var host: String
        var rank: Rank
        var state: State
    }

    /// The lesser one is first.
    private struct Rank: Comparable {
        var priority: Int
        /// The number of the entry.
        var order: Int

        static func < (first: Self, second: Self) -> Bool {
            (second.priority, first.order) < (first.priority, second.order)
        }
    }

    private struct Host {
        var running = 0
        var notBefore: Duration?
        /// The waiting ones in their order.
        var queue: ArraySlice<(rank: Rank, id: ID)> = []

        /// Where one with this rank is, or would be.
        func place(of rank: Rank) -> Int {
            var (low, high) = (queue.startIndex, queue.endIndex)
            // Most come after all others.
            if let last = queue.last, last.rank < rank { low = high }
            while low < high {
                let middle = (low + high) / 2
                if queue[middle].rank < rank { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private let limit: Int
    private let hostLimit: Int
    private var entries: [ID: Entry] = [:]
    private var hosts: [String: Host] = [:]
    private var delayed: Set<ID> = []
    private var running = 0
    private var lastOrder = 0

    /// - Parameters:
    ///   - limit: How many run at a time, at least one.
    ///   - hostLimit: How many of them with one host.
    package init(limit: Int, hostLimit: Int? = nil) {
        self.limit = max(1, limit)
        self.hostLimit = max(1, hostLimit ?? .max)
    }

    /// What is added again stays as it is.
    package mutating func add(_ id: ID, host: String = "", priority: Int = 0, isPaused: Bool = false) {
        guard entries[id] == nil else { return }
        lastOrder += 1
        entries[id] = Entry(
            host: host, rank: Rank(priority: priority, order: lastOrder), state: isPaused ? .paused : .waiting)
        if !isPaused { enqueue(id) }
    }

    /// Starts those that may run at `time`, and gives them in their order.
    package mutating func start(at time: Duration) -> [ID] {
        for id in delayed {
            guard case .delayed(let until)? = entries[id]?.state, until <= time else { continue }
            delayed.remove(id)
            entries[id]?.state = .waiting
            enqueue(id)
        }
        var started: [ID] = []
        while running < limit, let (host, id) = next(at: time) {
            hosts[host]?.queue.removeFirst()
            hosts[host]?.running += 1
            running += 1
            entries[id]?.state = .running(isPaused: false)
            started.append(id)
        }
        return started
    }

    private func next(at time: Duration) -> (host: String, id: ID)? {
        var best: (host: String, rank: Rank, id: ID)?
        for (name, host) in hosts where host.running < hostLimit && host.notBefore ?? time <= time {
            guard let first = host.queue.first, best.map({ first.rank < $0.rank }) ?? true else { continue }
            best = (name, first.rank, first.id)
        }
        return best.map { ($0.host, $0.id) }
    }

    /// Whether one runs, or will when its turn or its time has come.
    package var isBusy: Bool {
        running > 0 || !delayed.isEmpty || hosts.values.contains { !$0.queue.isEmpty }
    }

    /// Whether fewer run than may.
    var hasRoom: Bool { running < limit }

    /// How many do not run and are not paused.
    var waiting: Int { delayed.count + hosts.values.reduce(0) { $0 + $1.queue.count } }

    /// It is over, whatever it was.
    package mutating func remove(_ id: ID) {
        leave(id)
        entries[id] = nil
    }

    /// A running one stopped, and continues when it is next again: not before `time`, nor does any other of its host
    /// if `holdsHost`. One that is to pause pauses.
    package mutating func stopped(_ id: ID, until time: Duration? = nil, holdsHost: Bool = false) {
        guard let entry = entries[id], case .running(let isPaused) = entry.state else { return }
        leave(id)
        if let time, holdsHost {
            let known = hosts[entry.host]?.notBefore ?? time
            hosts[entry.host]?.notBefore = max(time, known)
        }
        if isPaused {
            entries[id]?.state = .paused
        } else if let time {
            entries[id]?.state = .delayed(until: time)
            delayed.insert(id)
        } else {
            entries[id]?.state = .waiting
            enqueue(id)
        }
    }

    /// - Returns: Whether it runs, and has to be stopped.
    package mutating func pause(_ id: ID) -> Bool {
        if case .running? = entries[id]?.state {
            entries[id]?.state = .running(isPaused: true)
            return true
        }
        leave(id)
        entries[id]?.state = .paused
        return false
    }

    package mutating func resume(_ id: ID) {
        switch entries[id]?.state {
        case .paused?:
            entries[id]?.state = .waiting
            enqueue(id)
        case .running?:
            entries[id]?.state = .running(isPaused: false)
        case .waiting?, .delayed?, nil:
            break
        }
    }

    /// A running one continues.
    package mutating func setPriority(_ priority: Int, of id: ID) {
        guard let entry = entries[id] else { return }
        let isWaiting = entry.state == .waiting
        if isWaiting { leave(id) }
        entries[id]?.rank.priority = priority
        if isWaiting { enqueue(id) }
    }

    package func contains(_ id: ID) -> Bool { entries[id] != nil }

    package func isRunning(_ id: ID) -> Bool {
        if case .running? = entries[id]?.state { true } else { false }
    }

    /// Times count from another moment now: no transfer has to wait any more.
    package mutating func beginTime() {
        for name in hosts.keys { hosts[name]?.notBefore = nil }
        for id in delayed {
            entries[id]?.state = .waiting
            enqueue(id)
        }
        delayed = []
    }

    private mutating func enqueue(_ id: ID) {
        guard let entry = entries[id] else { return }
        var host = hosts.removeValue(forKey: entry.host) ?? Host()
        host.queue.insert((entry.rank, id), at: host.place(of: entry.rank))
        hosts[entry.host] = host
    }

    /// Takes it out of what its state has put it into.
    private mutating func leave(_ id: ID) {
        guard let entry = entries[id], var host = hosts.removeValue(forKey: entry.host) else { return }
        defer { hosts[entry.host] = host }
        switch entry.state {
        case .waiting:
            host.queue.remove(at: host.place(of: entry.rank))
        case .delayed:
            delayed.remove(id)
        case .running:
            host.running -= 1
            running -= 1
        case .paused:
            break
        }
    }
}
