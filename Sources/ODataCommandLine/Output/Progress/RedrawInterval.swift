/// Decides when what has changed is drawn: at once if nothing was drawn for a while, else when that while is over.
struct RedrawInterval {
    enum Decision: Equatable {
        case now
        /// Once, at this time.
        case later(ContinuousClock.Instant)
        /// A drawing is on its way already.
        case never
    }

    /// The least time between two drawings.
    let interval: Duration
    private var last: ContinuousClock.Instant?
    private var isPromised = false

    init(interval: Duration) {
        self.interval = interval
    }

    mutating func change(at time: ContinuousClock.Instant) -> Decision {
        guard let last, time - last < interval else {
            drawn(at: time)
            return .now
        }
        guard !isPromised else { return .never }
        isPromised = true
        return .later(last + interval)
    }

    mutating func drawn(at time: ContinuousClock.Instant) {
        (last, isPromised) = (time, false)
    }
}
