/// The rate of a transfer: the amount in the last seconds.
struct TransferRate {
    private static let window = Duration.seconds(5)
    /// Moments closer together count as one.
    private static let step = Duration.milliseconds(100)

    private var samples: [(time: ContinuousClock.Instant, amount: Int64)] = []

    /// - Parameter amount: All that has come until now. What had come at the first time is of an earlier run. Where it is
    ///   less than before, it has begun anew, and so does the rate.
    mutating func note(_ amount: Int64, at time: ContinuousClock.Instant) {
        if let last = samples.last, amount < last.amount { samples = [] }
        if samples.count > 1, let last = samples.last, time - last.time < Self.step { samples.removeLast() }
        samples.append((time, amount))
        // One stays that is older, so that a slow transfer has a rate too.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// The amount per second; nil while it is unknown.
    func perSecond(at time: ContinuousClock.Instant) -> Double? {
        guard let first = samples.first, let last = samples.last, last.amount > first.amount else { return nil }
        let elapsed = (time - first.time) / .seconds(1)
        return elapsed >= 0.5 ? Double(last.amount - first.amount) / elapsed : nil
    }
}
