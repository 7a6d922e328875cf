import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// What the app of a device says where its store asks.
struct SimulatedDecisions: Sendable {
    let device: Int
    let journal: Journal
    let service: SimulatedService

    /// A third of the entities follow the service, of the others most follow the device; some wait for somebody to
    /// decide, some get the values of both.
    func resolve(_ conflict: Conflict) -> Resolution {
        let known = [conflict.mine, conflict.base, conflict.theirs].compactMap { $0?["Marker"] }
        guard case .string(let marker)? = known.first, let number = Int(marker.dropFirst()) else { return .mine }
        switch number % 9 {
        case 0, 3, 6:
            journal.loosen { $0.device == device && $0.marker == marker }
            return .theirs
        case 1: return .hold
        case 2, 5: return merged(conflict, marker)
        default: return .mine
        }
    }

    /// One update with the values that were given here takes the place of all that waits for the entity.
    private func merged(_ conflict: Conflict, _ marker: String) -> Resolution {
        guard let mine = conflict.mine else { return .mine }
        var payload = EntityPayload()
        for name in ["First", "Second"] {
            guard let value = mine[name], !value.isNull, value != conflict.base?[name] else { continue }
            payload.properties[name] = value
        }
        guard !payload.properties.members.isEmpty else { return .mine }
        let kept = Set(payload.properties.members.map(\.value.lexical))
        journal.loosen { $0.device == device && $0.marker == marker && !kept.contains($0.token) }
        return .merged(payload)
    }

    /// The app looks at the service itself.
    func decide(_ question: UnconfirmedRequest) async -> UnconfirmedRequest.Decision {
        guard let events = try? await service.events() else { return .hold }
        let tokens = question.request.tokens
        guard let made = events.first(where: { tokens.contains($0.marker) && $0.kind == "insert" }) else {
            return .notSent
        }
        guard question.request.method == "POST", !question.request.url.hasSuffix("$ref") else { return .sent }
        guard let text = made.value, let value = Int64(text).map(Value.integer) ?? Self.guid(text) else { return .hold }
        return .made(EntityKey("ID", value))
    }

    /// With or without hyphens.
    private static func guid(_ digits: String) -> Value? {
        var text = ""
        for (index, digit) in digits.filter({ $0 != "-" }).enumerated() {
            text += ([8, 12, 16, 20].contains(index) ? "-" : "") + "\(digit)"
        }
        return Value(lexical: text, type: .primitive(.guid))
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
