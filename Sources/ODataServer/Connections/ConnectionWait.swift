import NIOCore
import NIOHTTPTypes

/// What a connection waits for, and since when: the handshake, a request, the rest of its headers or of its body, or
/// that the client takes the response.
struct ConnectionWait {
    enum Verdict {
        case goOn
        /// There is no request that a response could be sent to.
        case close
        /// The headers did not come whole.
        case refuseHead
        /// The body did not.
        case failBody
    }

    private var handshake: NIODeadline?
    private var handshakeHasJustEnded = false
    /// Since when no request is under way; nil while one is.
    private var idle: NIODeadline?
    private var head: NIODeadline?
    private var requests = 0
    private var isBodyOpen = false
    private var body = ClientPace()
    private var output = ClientPace()
    private var pending = 0
    private var written = 0
    /// Whether the verdict was another one than to continue.
    private(set) var isOver = false

    init(isSecure: Bool, _ now: NIODeadline) {
        handshake = isSecure ? now : nil
        idle = now
    }

    /// Whether no request is under way.
    var isResting: Bool { requests == 0 && !isBodyOpen }

    mutating func handshakeEnds(_ now: NIODeadline) {
        handshake = nil
        handshakeHasJustEnded = true
        idle = now
    }

    /// The server requests bytes.
    mutating func serverReads(_ now: NIODeadline) {
        if isBodyOpen { body.wait(now) }
    }

    mutating func take(_ part: HTTPRequestPart, _ now: NIODeadline) {
        switch part {
        case .head:
            requests += 1
            isBodyOpen = true
            (idle, head) = (nil, nil)
            body = ClientPace()
        case .body(let bytes): body.advance(bytes.readableBytes, now)
        case .end:
            isBodyOpen = false
            rest(now)
        }
    }

    /// All received bytes have been processed.
    mutating func readsComplete(_ now: NIODeadline) {
        if handshake == nil, !handshakeHasJustEnded, isResting { head = head ?? now }
        handshakeHasJustEnded = false
    }

    mutating func give(_ part: HTTPResponsePart, _ now: NIODeadline) {
        switch part {
        case .head: break
        case .body(let bytes): written += bytes.readableBytes
        case .end:
            requests -= 1
            rest(now)
        }
    }

    private mutating func rest(_ now: NIODeadline) {
        if isResting { idle = now }
    }

    /// - Parameter pending: How many bytes the system has not taken yet.
    mutating func serverSends(pending: Int, _ now: NIODeadline) {
        let taken = self.pending + written - pending
        if taken > 0 { output.advance(taken, now) }
        if pending > 0 {
            output.wait(now)
            if idle != nil { idle = now }
        } else {
            output = ClientPace()
        }
        (self.pending, written) = (pending, 0)
    }

    mutating func verdict(_ limits: ServerLimits, _ now: NIODeadline) -> Verdict {
        let verdict = current(limits, now)
        if verdict != .goOn { isOver = true }
        return verdict
    }

    private func current(_ limits: ServerLimits, _ now: NIODeadline) -> Verdict {
        func isOver(_ since: NIODeadline?, _ limit: Duration?) -> Bool {
            guard let since, let limit else { return false }
            return now - since > TimeAmount(limit)
        }
        if output.isTooSlow(limits, now) || isOver(handshake, limits.handshakeTime) { return .close }
        if handshake != nil { return .goOn }
        if isOver(head, limits.headTime) { return .refuseHead }
        if head == nil, isOver(idle, limits.idleTime) { return .close }
        return isBodyOpen && body.isTooSlow(limits, now) ? .failBody : .goOn
    }
}
