import ODataModel
import ODataOffline
import ODataQuery

/// What the app of a device says where its store asks.
struct SimulatedDecisions: Sendable {
    let device: Int
    let journal: Journal
    let service: SimulatedService

    /// Some entities follow the service, most the device; some get what neither has, and some wait for a person.
    func resolve(_ conflict: ChangeConflict) -> ConflictResolution {
        // The properties of a picture may have been undone here, and its marker with them.
        let known = [conflict.mine, conflict.base, conflict.theirs].compactMap { $0?.marker }.filter { !$0.isEmpty }
        let tokens = conflict.requests.reduce(into: Set<String>()) { $0.formUnion($1.tokens) }
        guard let marker = known.first, let number = Int(marker.dropFirst()) else {
            journal.insist(on: tokens, device: device)
            return .mine
        }
        switch number % 6 {
        case 0:
            giveUp(marker)
            return .theirs
        case 1:
            giveUp(marker)
            journal.insist(on: tokens, device: device, isMerged: true)
            let value = journal.newToken("v")
            let kind = Journal.Kind.value(of: "First")
            journal.add([.init(device: device, kind: kind, marker: marker, token: value, value: value)])
            return .merged(EntityPayload(["First": .string(value)]))
        case 2: return .hold
        default:
            journal.insist(on: tokens, device: device)
            return .mine
        }
    }

    /// What was changed here may reach the service no more.
    private func giveUp(_ marker: String) { journal.loosen { $0.device == device && $0.marker == marker } }

    /// The app looks at the service itself.
    func decide(_ question: UnconfirmedRequest) async -> UnconfirmedRequest.Decision {
        guard let events = try? await service.events() else { return .hold }
        let tokens = question.request.tokens
        guard events.contains(where: { tokens.contains($0.marker) && $0.kind == "insert" }) else {
            return events.contains { tokens.contains($0.value ?? "") } ? .sent : .notSent
        }
        let made = question.candidates.first { tokens.contains($0["Marker"]?.lexical ?? "") }
        if let key = made?.key { return .made(key) }
        // Its key is not known here: what was to follow has lost its entity.
        journal.loosen { $0.device == device && tokens.contains($0.marker) && $0.kind != .creation }
        journal.expectRefusals(on: device)
        return .sent
    }
}

extension QueueEntry {
    /// The words that only this request has. Of a picture the marker is that of the stream, which makes it, and not
    /// that of the properties, which are sent after it.
    var tokens: Set<String> {
        let text = [tag, body].compactMap(\.self).joined(separator: " ")
        let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return Set(words.filter { $0.wholeMatch(of: method == "POST" ? /[mtv][0-9]+/ : /[tv][0-9]+/) != nil })
    }
}
