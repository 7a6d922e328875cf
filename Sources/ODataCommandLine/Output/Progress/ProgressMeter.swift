import OData

/// The progress, rate and remaining time of one transfer, in a line.
///
///     [##########--------------------]  34% of 12.4 MB  1.2 MB/s  0:07 left  Photos(1)
///     2000 entities  received 1.2 MB  850/s  orders
///     waiting for example.com…  orders
struct ProgressMeter {
    enum Unit: String {
        case bytes, entities, streams, requests
    }

    let label: String
    let unit: Unit
    private(set) var done: Int64 = 0
    private(set) var total: Int64?
    private var rate = TransferRate()
    /// Of what is counted in another unit: the bytes that have arrived of it, and their rate.
    private var bytes: Int64 = 0
    private var byteRate = TransferRate()
    /// Whose response is waited for.
    private var awaited: String?

    init(_ label: String, _ unit: Unit) {
        self.label = label
        self.unit = unit
    }

    /// - Parameters:
    ///   - total: Nil while it is unknown.
    ///   - bytes: The received bytes where the unit is another one; 0 if they are unknown.
    mutating func note(_ done: Int64, of total: Int64?, bytes: Int64 = 0, at time: ContinuousClock.Instant) {
        (self.done, self.total, self.bytes) = (done, total, bytes)
        awaited = nil
        rate.note(done, at: time)
        byteRate.note(bytes, at: time)
    }

    /// Until the next note no bytes are being transferred: the host has not responded.
    mutating func wait(for host: String) { awaited = host }

    /// - Parameter width: How many columns the line may have. Where there are too few the bar becomes shorter, the label
    ///   loses its end, and the bar is left out.
    func line(width: Int, at time: ContinuousClock.Instant) -> String {
        let facts = facts(at: time).joined(separator: "  ")
        let label = label.singleLine
        guard let share else { return Self.joined([facts, label], width) }
        let room = width - facts.columns - 3 - (label.isEmpty ? 0 : 2 + min(label.columns, 16))
        let marks = min(30, room)
        guard marks >= 8 else { return Self.joined([facts, label], width) }
        return Self.joined([Self.bar(share, marks) + " " + facts, label], width)
    }

    /// The line where it stands for itself: `orders: 2000 entities, 850/s`
    func plainLine(at time: ContinuousClock.Instant) -> String {
        let facts = facts(plainAmount, at: time).joined(separator: ", ")
        return label.isEmpty ? facts : "\(label.singleLine): \(facts)"
    }

    private func facts(at time: ContinuousClock.Instant) -> [String] {
        guard let awaited else { return facts(amount, at: time) }
        let wait = "waiting for \(awaited.singleLine)…"
        return done == 0 && total == nil ? [wait] : [amount, wait]
    }

    private func facts(_ amount: String, at time: ContinuousClock.Instant) -> [String] {
        [amount, received, speed(at: time), remaining(at: time)].compactMap { $0 }
    }

    /// `received 3.2 MB`, also before the first entity of a page is complete.
    private var received: String? { bytes > 0 ? "received \(ByteSize(bytes))" : nil }

    private static func joined(_ parts: [String], _ width: Int) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "  ").fitted(to: width)
    }

    private static func bar(_ share: Double, _ marks: Int) -> String {
        let full = Int(share * Double(marks))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: marks - full) + "]"
    }

    private var share: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 }
    }

    /// ` 34% of 12.4 MB`, `12 of 30 streams`, `2000 entities`
    private var amount: String {
        guard unit == .bytes, let total, let share else { return plainAmount }
        let percent = "\(Int(share * 100))%"
        return String(repeating: " ", count: 4 - percent.count) + "\(percent) of \(ByteSize(total))"
    }

    private var plainAmount: String {
        let of = total.map { " of \(unit == .bytes ? "\(ByteSize($0))" : "\($0)")" } ?? ""
        return unit == .bytes ? "\(ByteSize(done))\(of)" : "\(done)\(of) \(unit.rawValue)"
    }

    /// `1.2 MB/s`, `850/s`; that of the bytes while nothing else is counted.
    private func speed(at time: ContinuousClock.Instant) -> String? {
        let bytesPerSecond = unit == .bytes ? rate.perSecond(at: time) : byteRate.perSecond(at: time)
        guard unit != .bytes, let perSecond = rate.perSecond(at: time) else {
            return bytesPerSecond.map { "\(ByteSize(Int64($0.rounded())))/s" }
        }
        guard perSecond < 10 else { return "\(Int64(perSecond.rounded()))/s" }
        let tenths = Int64((perSecond * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)/s"
    }

    /// `0:07 left`, `1:02:03 left`
    private func remaining(at time: ContinuousClock.Instant) -> String? {
        guard let total, total > done, let perSecond = rate.perSecond(at: time) else { return nil }
        let seconds = (Double(total - done) / perSecond).rounded(.up)
        guard seconds < 360_000 else { return nil }
        let (hours, minutes, rest) = (Int(seconds) / 3600, Int(seconds) / 60 % 60, Int(seconds) % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(rest)) left"
    }
}
