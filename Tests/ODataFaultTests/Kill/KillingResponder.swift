import ByteStreams
import Foundation
import HTTPTypes
import ODataService
import Synchronization
import ToolSupport

/// Counts what goes in and out of a service, and kills the client at a moment of it.
final class KillingResponder: HTTPResponder {
    enum Direction { case request, response }

    private struct State {
        var traffic = Traffic()
        var moment: KillMoment?
        var victim: Victim?
    }

    private let service: any HTTPResponder
    private let state = Mutex(State())

    init(_ service: any HTTPResponder) {
        self.service = service
    }

    /// Counts anew; kills `victim` at `moment`, once.
    func arm(_ moment: KillMoment?, _ victim: Victim? = nil) {
        state.withLock { $0 = State(moment: moment, victim: victim) }
    }

    var traffic: Traffic { state.withLock { $0.traffic } }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let number = state.withLock { state in
            state.traffic.lines.append("\(request.method) \(request.path ?? "")")
            return state.traffic.requests - 1
        }
        if await strike(at: .request(number)) { return ServiceResponse(head: HTTPResponse(status: .badGateway)) }
        var response = await service.respond(to: request, body: watched(body, .request), root: root, context: context)
        if await strike(at: .acted(number)) { return ServiceResponse(head: HTTPResponse(status: .badGateway)) }
        response.body = watched(response.body, .response)
        return response
    }

    private func strike(at moment: KillMoment) async -> Bool {
        guard let victim = state.withLock({ $0.moment == moment ? $0.victim : nil }) else { return false }
        await victim.kill()
        return true
    }

    private func watched(_ content: ByteContent, _ direction: Direction) -> ByteContent {
        guard content.length != 0 else { return content }
        let body = WatchedBody(content, direction, self)
        return ByteContent(ByteChunks { try await body.next() }, length: content.length)
    }

    /// How many of `count` bytes may pass before the client is killed; nil if all may.
    fileprivate func allowance(_ direction: Direction, _ count: Int) -> Int? {
        state.withLock { state in
            let passed: Int
            let limit: Int?
            switch (direction, state.moment) {
            case (.request, .requestBytes(let bytes)): (passed, limit) = (state.traffic.requestBytes, bytes)
            case (.response, .responseBytes(let bytes)): (passed, limit) = (state.traffic.responseBytes, bytes)
            default: (passed, limit) = (0, nil)
            }
            switch direction {
            case .request: state.traffic.requestBytes += count
            case .response: state.traffic.responseBytes += count
            }
            guard let limit, passed <= limit, limit < passed + count else { return nil }
            return limit - passed
        }
    }

    fileprivate func killNow() async {
        await state.withLock { $0.victim }?.kill()
    }
}

/// A body that passes byte by byte until the moment comes.
private actor WatchedBody {
    private let content: ByteContent
    private let direction: KillingResponder.Direction
    private let responder: KillingResponder
    private var iterator: ByteChunks.AsyncIterator?
    private var rest: [UInt8]?

    init(_ content: ByteContent, _ direction: KillingResponder.Direction, _ responder: KillingResponder) {
        self.content = content
        self.direction = direction
        self.responder = responder
    }

    func next() async throws -> [UInt8]? {
        if let rest {
            self.rest = nil
            await responder.killNow()
            return rest
        }
        let iterator = try iterator ?? content.chunks().makeAsyncIterator()
        self.iterator = iterator
        guard let chunk = try await iterator.next() else { return nil }
        guard let allowance = responder.allowance(direction, chunk.count) else { return chunk }
        guard allowance > 0 else {
            await responder.killNow()
            return chunk
        }
        rest = Array(chunk.dropFirst(allowance))
        return Array(chunk.prefix(allowance))
    }
}
