import ODataModel
import ODataOffline
import ODataQuery

/// What the app of a device says where its store asks.
struct SimulatedDecisions: Sendable {
    let device: Int
    let journal: Journal
    let service: SimulatedService

    /// A third of the entities follow the service, the others the device.
    func resolve(_ conflict: Conflict) -> Resolution {
        let known = [conflict.mine, conflict.base, conflict.theirs].compactMap { $0?["Marker"] }
        guard case .string(let marker)? = known.first, let number = Int(marker.dropFirst()), number % 3 == 0 else {
            return .mine
        }
        journal.loosen { $0.device == device && $0.marker == marker }
        return .theirs
    }

    /// The app looks at the service itself.
    func decide(_ question: UnconfirmedRequest) async -> UnconfirmedRequest.Decision {
        guard let events = try? await service.events() else { return .hold }
        let tokens = question.request.tokens
        guard events.contains(where: { tokens.contains($0.marker) && $0.kind == "insert" }) else { return .notSent }
        // Its key is not known here: what was to follow has lost its entity.
        journal.loosen { $0.device == device && tokens.contains($0.marker) && $0.kind != .creation }
        return .sent
    }
}

extension QueueEntry {
    /// The words that only this request has.
    var tokens: Set<String> {
        let text = [tag, body].compactMap(\.self).joined(separator: " ")
        let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return Set(words.filter { $0.wholeMatch(of: /[mtv][0-9]+/) != nil })
    }
}
