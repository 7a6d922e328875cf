import ODataModel

extension EdmDuration {
    /// The same duration; what is less than a picosecond is rounded down.
    public init(_ value: Duration) {
        let (seconds, attoseconds) = value.components
        let picoseconds = attoseconds >= 0 ? attoseconds / 1_000_000 : -((999_999 - attoseconds) / 1_000_000)
        let isBelow = picoseconds < 0
        self.init(
            seconds: isBelow ? seconds - 1 : seconds,
            picoseconds: isBelow ? picoseconds + 1_000_000_000_000 : picoseconds)
    }
}

extension Duration {
    /// The same duration.
    public init(_ value: EdmDuration) {
        self.init(secondsComponent: value.seconds, attosecondsComponent: value.picoseconds * 1_000_000)
    }
}
