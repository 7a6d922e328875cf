import NIOCore

/// How long the server waited for a client that sends a body or reads a response, and how many bytes it transferred.
struct ClientPace {
    private var waiting: NIODeadline?
    private var waited = TimeAmount.zero
    private var bytes: Int64 = 0

    /// The client is waited for from now on, unless it already is.
    mutating func wait(_ now: NIODeadline) {
        waiting = waiting ?? now
    }

    /// It has sent or taken so much, and is not waited for until ``wait(_:)``.
    mutating func advance(_ count: Int, _ now: NIODeadline) {
        if let waiting { waited = waited + (now - waiting) }
        waiting = nil
        bytes += Int64(count)
    }

    func isTooSlow(_ limits: ServerLimits, _ now: NIODeadline) -> Bool {
        guard let waiting else { return false }
        if let idle = limits.idleTime, now - waiting > TimeAmount(idle) { return true }
        guard let rate = limits.byteRate else { return false }
        let earned = TimeAmount.milliseconds(bytes * 1_000 / Int64(max(rate, 1)))
        return waited + (now - waiting) > TimeAmount(limits.rateTime) + earned
    }
}
