import Foundation

/// An `InputStream` over any ``ByteSource``, on Linux as on Apple platforms.
///
/// ```swift
/// let stream = SourceInputStream(try FileSource(path: "photo.jpg"))
/// stream.open()
/// while stream.hasBytesAvailable, case let count = stream.read(buffer, maxLength: size), count > 0 { … }
/// stream.close()
/// ```
///
/// **Synchronous mode.** `open` returns when the source is open or has failed, `read` waits for bytes, and
/// `hasBytesAvailable` is true until the end is known. A source that gives its bytes asynchronously is read in a task:
/// do not open or read the stream in a task then, which would keep the thread that the source needs.
///
/// **Asynchronous mode.** Every call returns at once; the source is read ahead elsewhere. `hasBytesAvailable` is true
/// only if a read gives something. A read before that gives -1 without a `streamError`, and not 0, which is the end.
///
/// **Events** come to the delegate in the run loops and modes in which the stream is scheduled, in both modes and as
/// Foundation's contract says: `openCompleted` once, `hasBytesAvailable` once between two reads, `endEncountered` or
/// `errorOccurred` once, nothing after `close`. They wait for a delegate. One event at a time is delivered, also where
/// the run loops of several threads would deliver them. Because they come from timers, `RunLoop.run(mode:before:)` does
/// not return after an event; it does when the stream is closed or removed and nothing else is left in the mode.
///
/// **The source must stay what it was** when the stream was made: another length or identity is an error, found before
/// the last bytes are given where the length is known; else the error replaces the end. A source that says that
/// it has become invalid is opened again at the offset reached.
///
/// **Offsets.** The property `fileCurrentOffsetKey` (an `NSNumber`, in bytes) is read and set before and after opening,
/// also at the end; an offset behind the end is refused. Setting it drops what was read ahead.
///
/// Neither a run loop nor the source keeps the stream: hold it while it is scheduled. A closed stream cannot be opened
/// again; one that is closed before it was opened stays as it was.
public final class SourceInputStream: InputStream {
    /// Whether calls wait for the source.
    public enum Mode: CaseIterable, Sendable {
        /// `synchronous`: `open` and `read` wait for the source. `asynchronous`: no call waits, and events report when
        /// there is something to read.
        case synchronous, asynchronous
    }

    /// How a failure shows.
    public enum ErrorReporting: Sendable {
        /// As the status *error*.
        case status
        /// In reads, `streamError` and the event `errorOccurred` only; the status stays *open*. For bodies of
        /// requests: see `requestBody(_:)`.
        case delegateOnly
    }

    private let core: StreamCore
    private let errors: ErrorReporting

    /// A stream that is not open yet.
    ///
    /// - Parameters:
    ///   - source: Is asked for its identity now, and opened by `open` and where another offset is set.
    ///   - mode: Whether calls wait for the source.
    ///   - readAhead: How much is read ahead, in bytes. In synchronous mode, reads of files and bytes in memory that
    ///     are as large go straight to the source.
    ///   - errors: How a failure shows.
    public init(
        _ source: any ByteSource, mode: Mode = .synchronous, readAhead: Int = 131_072,
        errors: ErrorReporting = .status
    ) {
        core = StreamCore(source, mode, readAhead: readAhead)
        self.errors = errors
        super.init(data: Data())
        core.belong(to: self)
    }

    deinit {
        core.close()
        core.unschedule()
    }

    /// The stream itself by default.
    public override var delegate: (any StreamDelegate)? {
        get { core.delegate ?? self }
        set { core.delegate = newValue === self ? nil : newValue }
    }

    /// Opens the source. A second call does nothing.
    public override func open() { core.open() }

    /// Ends the reading and lets the source go. A second call does nothing.
    public override func close() { core.close() }

    public override var streamStatus: Status {
        let status = core.status
        return status == .error && errors == .delegateOnly ? .open : status
    }

    public override var streamError: (any Error)? { core.error }

    public override var hasBytesAvailable: Bool {
        // Who goes by the status must come to read, and learn there.
        core.hasBytesAvailable || errors == .delegateOnly && core.status == .error
    }

    /// Reads up to `len` bytes. Gives their number, 0 at the end, or -1 for an error and, in asynchronous mode, where
    /// nothing has come yet.
    public override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        core.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: max(0, len)))
    }

    /// Always false: bytes are read, not lent.
    public override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    /// Delivers events in a mode of a run loop, which need not be that of this thread.
    public override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.schedule(in: aRunLoop, forMode: mode)
    }

    /// Takes the stream out of a mode of a run loop.
    public override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        core.remove(from: aRunLoop, forMode: mode)
    }

    #if canImport(Darwin)
        public override func property(forKey key: PropertyKey) -> Any? { value(of: key) }

        public override func setProperty(_ property: Any?, forKey key: PropertyKey) -> Bool {
            set(property as? NSNumber, forKey: key)
        }
    #else
        public override func property(forKey key: PropertyKey) -> AnyObject? { value(of: key) }

        public override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool {
            set(property as? NSNumber, forKey: key)
        }
    #endif

    private func value(of key: PropertyKey) -> NSNumber? {
        key == .fileCurrentOffsetKey ? NSNumber(value: core.offset) : nil
    }

    private func set(_ value: NSNumber?, forKey key: PropertyKey) -> Bool {
        guard key == .fileCurrentOffsetKey, let value else { return false }
        return core.seek(to: value.int64Value)
    }
}

extension SourceInputStream: StreamDelegate {}
