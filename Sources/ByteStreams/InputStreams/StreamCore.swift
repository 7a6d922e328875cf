import Foundation

/// What a `SourceInputStream` consists of, for the threads, tasks and run loops that work for it: the stream itself is
/// not sendable.
///
/// `@unchecked Sendable`: what changes is guarded by the lock, and weak references to classes that are not sendable are
/// only handed to the thread that delivers the events.
final class StreamCore: @unchecked Sendable {
    let original: OriginalSource
    private let mode: SourceInputStream.Mode
    private let readAhead: Int
    private let events = RunLoopEvents()
    private let reading = NSLock()
    private let lock = NSLock()
    // Guarded by the lock, which no thread holds while it waits:
    private var machine: StreamMachine
    private var feed: (any StreamFeed)?
    private var isReading = false
    private weak var stream: SourceInputStream?
    private weak var listener: (any StreamDelegate)?
    private var teller: Thread?

    init(_ source: any ByteSource, _ mode: SourceInputStream.Mode, readAhead: Int) {
        original = OriginalSource(source)
        (self.mode, self.readAhead) = (mode, readAhead)
        machine = StreamMachine(isSynchronous: mode == .synchronous)
    }

    var delegate: (any StreamDelegate)? {
        get { lock.withLock { listener } }
        set {
            lock.withLock { listener = newValue }
            signal()
        }
    }

    func belong(to stream: SourceInputStream) { lock.withLock { self.stream = stream } }

    var status: Stream.Status {
        lock.withLock {
            switch machine.phase {
            case .notOpen: .notOpen
            case .opening: .opening
            case .open: isReading ? .reading : .open
            case .atEnd: .atEnd
            case .failed: .error
            case .closed: .closed
            }
        }
    }

    var error: (any Error)? { lock.withLock { machine.error } }

    var hasBytesAvailable: Bool { lock.withLock { machine.hasBytesAvailable } }

    var offset: Int64 { lock.withLock { machine.offset } }

    func open() {
        let feed = lock.withLock {
            guard machine.open() else { return (any StreamFeed)?.none }
            self.feed = makeFeed(at: machine.offset)
            return self.feed
        }
        guard let feed else { return }
        feed.begin()
        guard mode == .synchronous else { return }
        do {
            try feed.waitUntilOpened()
            lock.withLock { machine.opened(feed.supply(at: machine.offset)) }
        } catch {
            lock.withLock { machine.supplied(.failure(error)) }
        }
        signal()
    }

    /// - Returns: The number of bytes; 0 at the end; -1 if there is nothing to read now or any more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (admission, feed) = lock.withLock { (machine.admitRead(), self.feed) }
        switch admission {
        case .refused: return -1
        case .end:
            signal()
            return 0
        case .allowed:
            guard let feed, !buffer.isEmpty else { return 0 }
            let count = reading.withLock { readOn(feed, into: buffer) }
            signal()
            return count
        }
    }

    private func readOn(_ feed: any StreamFeed, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        lock.withLock { isReading = true }
        let result = Result { try feed.read(into: buffer) }
        return lock.withLock {
            isReading = false
            guard self.feed === feed, machine.phase == .open else {
                let count = machine.phase == .atEnd ? 0 : -1
                // Events of the feed of another offset during this read were ignored.
                if let current = self.feed, current !== feed {
                    machine.supplied(current.supply(at: machine.offset))
                }
                return count
            }
            switch result {
            case .success(nil):
                machine.supplied(feed.supply(at: machine.offset))
                return -1
            case .success(let count?):
                machine.read(count, then: count == 0 ? .end : feed.supply(at: machine.offset + Int64(count)))
                return count
            case .failure(let error):
                machine.supplied(.failure(error))
                return -1
            }
        }
    }

    /// - Returns: False if the source is known to have no such offset, or nothing can be read any more.
    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= original.length ?? .max else { return false }
        let feeds: (new: (any StreamFeed)?, old: (any StreamFeed)?)? = lock.withLock {
            let new = makeFeed(at: offset)
            let supply = new.supply(at: offset)
            guard machine.seek(to: offset, supply) else { return nil }
            guard let old = feed else { return (nil, nil) }
            feed = new
            if machine.phase == .open { machine.supplied(supply) }
            return (new, old)
        }
        guard let feeds else { return false }
        feeds.old?.stop()
        feeds.new?.begin()
        signal()
        return true
    }

    func close() {
        let feed = lock.withLock {
            guard machine.close() else { return (any StreamFeed)?.none }
            defer { self.feed = nil }
            return self.feed
        }
        guard let feed else { return }
        feed.stop()
        events.removeAll()
    }

    private func makeFeed(at offset: Int64) -> any StreamFeed {
        if mode == .synchronous, original.blocking != nil {
            return DirectFeed(original, from: offset, readAhead: readAhead)
        }
        return PumpedFeed(original, from: offset, readAhead: readAhead, waits: mode == .synchronous) { [weak self] in
            self?.noteSupply()
        }
    }

    private func noteSupply() {
        lock.withLock {
            // A read that has taken the last bytes reports them first, and then of what there is.
            guard let feed, !isReading else { return }
            let supply = feed.supply(at: machine.offset)
            if machine.phase == .opening, mode == .asynchronous, feed.isOpened {
                machine.opened(supply)
            } else {
                machine.supplied(supply)
            }
        }
        signal()
    }
}

/// Events.
extension StreamCore {
    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        guard lock.withLock({ machine.phase != .closed }) else { return }
        events.schedule(in: loop, forMode: mode) { [weak self] in self?.tell() }
        signal()
    }

    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { events.remove(from: loop, forMode: mode) }

    func unschedule() { events.removeAll() }

    /// Wakes the run loops for an event if one is due and has a receiver.
    private func signal() {
        // The last reference to the delegate is released when the lock is free: its end may close the stream.
        guard delegate != nil, lock.withLock({ machine.hasEventDue }) else { return }
        events.fire()
    }

    /// Delivers one event. A run loop of another thread waits until the delegate has returned from the one before.
    private func tell() {
        // Held outside the lock, as in `signal`.
        let (stream, listener) = lock.withLock { (self.stream, self.listener) }
        guard let stream, let listener else { return }
        let due: (event: Stream.Event, teller: Thread?)? = lock.withLock {
            guard teller == nil || teller === Thread.current, self.listener === listener,
                let event = machine.takeEvent()
            else { return nil }
            defer { teller = Thread.current }
            return (Self.foundationEvent(event), teller)
        }
        guard let due else { return }
        #if canImport(Darwin)
            listener.stream?(stream, handle: due.event)
        #else
            listener.stream(stream, handle: due.event)
        #endif
        lock.withLock { teller = due.teller }
        signal()
    }

    private static func foundationEvent(_ event: StreamMachine.Event) -> Stream.Event {
        switch event {
        case .openCompleted: .openCompleted
        case .hasBytesAvailable: .hasBytesAvailable
        case .endEncountered: .endEncountered
        case .errorOccurred: .errorOccurred
        }
    }
}
