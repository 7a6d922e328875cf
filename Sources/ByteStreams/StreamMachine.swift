/// The states of an input stream and the events that are due. It neither reads nor waits: its owner reports what
/// happened, and takes the events in their order.
///
/// Events come as Foundation's contract says: *openCompleted* once; *hasBytesAvailable* once between two reads;
/// *endEncountered* or *errorOccurred* once, after everything else; nothing after `close()`. Setting the offset back
/// begins a new way to the end, which is reported at its end too.
struct StreamMachine {
    enum Phase: Equatable {
        case notOpen, opening, open, atEnd, failed, closed
    }

    enum Event: Equatable {
        case openCompleted, hasBytesAvailable, endEncountered, errorOccurred
    }

    /// What a read would find.
    enum Supply {
        /// Nothing yet. In synchronous mode a read waits.
        case nothing
        case bytes
        /// Nothing any more.
        case end
        case failure(any Error)
    }

    enum Admission: Equatable {
        /// The read fails.
        case refused
        /// There is nothing to read any more.
        case end
        case allowed
    }

    /// Whether reads wait for bytes.
    let isSynchronous: Bool
    private(set) var phase = Phase.notOpen
    /// Of the byte that the next read gives.
    private(set) var offset: Int64 = 0
    private(set) var error: (any Error)?
    private var supply = Supply.nothing
    private var owesOpening = false
    private var owesError = false
    private var hasToldBytes = false
    private var hasToldEnd = false

    init(isSynchronous: Bool) {
        self.isSynchronous = isSynchronous
    }

    /// Whether a read gives something or, in synchronous mode, may give something.
    var hasBytesAvailable: Bool {
        guard phase == .open else { return false }
        switch supply {
        case .bytes: return true
        case .nothing: return isSynchronous
        case .end, .failure: return false
        }
    }

    /// - Returns: Whether the source is to be opened now: a stream is opened once.
    mutating func open() -> Bool {
        guard phase == .notOpen else { return false }
        phase = .opening
        return true
    }

    /// The source is open.
    mutating func opened(_ supply: Supply) {
        guard phase == .opening else { return }
        phase = .open
        owesOpening = true
        if case .end = supply, isSynchronous {
            // Who opens an empty stream finds it open; the first read, or the event, brings the end.
            self.supply = supply
        } else {
            supplied(supply)
        }
    }

    /// What can be read has changed, or the opening has failed.
    mutating func supplied(_ supply: Supply) {
        guard phase == .open || phase == .opening else { return }
        switch supply {
        case .failure(let error): fail(error)
        case .end where phase == .open && !isSynchronous: reachEnd()
        default: self.supply = supply
        }
    }

    /// Whether a read may continue now.
    mutating func admitRead() -> Admission {
        switch phase {
        case .notOpen, .opening, .closed, .failed: return .refused
        case .atEnd: return .end
        case .open:
            guard case .end = supply else { return .allowed }
            reachEnd()
            return .end
        }
    }

    /// A read has given `count` bytes, after which there is `supply`; 0 bytes are the end.
    mutating func read(_ count: Int, then supply: Supply) {
        guard phase == .open else { return }
        offset += Int64(count)
        hasToldBytes = false
        if case .end = supply {
            reachEnd()
        } else {
            supplied(supply)
        }
    }

    /// Moves to another offset, at which there is `supply`.
    ///
    /// - Returns: False if the stream has failed or is closed.
    mutating func seek(to offset: Int64, _ supply: Supply) -> Bool {
        guard phase != .failed, phase != .closed else { return false }
        self.offset = offset
        if phase == .atEnd { phase = .open }
        guard phase != .notOpen else { return true }
        self.supply = supply
        hasToldBytes = false
        hasToldEnd = false
        return true
    }

    /// - Returns: Whether there is something to close. A stream that has not been opened stays so.
    mutating func close() -> Bool {
        guard phase != .notOpen, phase != .closed else { return false }
        phase = .closed
        return true
    }

    var hasEventDue: Bool { dueEvent != nil }

    /// The event to report now; it counts as reported.
    mutating func takeEvent() -> Event? {
        let event = dueEvent
        switch event {
        case .openCompleted: owesOpening = false
        case .hasBytesAvailable: hasToldBytes = true
        case .endEncountered:
            reachEnd()
            hasToldEnd = true
        case .errorOccurred: owesError = false
        case nil: break
        }
        return event
    }

    private var dueEvent: Event? {
        guard phase != .closed else { return nil }
        if owesOpening { return .openCompleted }
        if owesError { return .errorOccurred }
        if hasBytesAvailable { return hasToldBytes ? nil : .hasBytesAvailable }
        guard phase == .open || phase == .atEnd, case .end = supply, !hasToldEnd else { return nil }
        return .endEncountered
    }

    private mutating func reachEnd() {
        supply = .end
        phase = .atEnd
    }

    private mutating func fail(_ error: any Error) {
        phase = .failed
        owesError = true
        self.error = error
    }
}
