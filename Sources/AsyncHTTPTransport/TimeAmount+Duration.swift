import NIOCore

extension TimeAmount {
    /// `duration`, at most some 290 years.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self = .nanoseconds(overflow ? .max : whole + attoseconds / 1_000_000_000)
    }
}
