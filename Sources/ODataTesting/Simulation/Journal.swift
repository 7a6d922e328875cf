import Synchronization

/// What the apps of a simulated run have changed, and the results that the stores returned.
final class Journal: Sendable {
    enum Kind: Hashable, Sendable {
        case creation
        case deletion
        /// The value of a property that no other change gives: of `First`, or of `Place/City`.
        case value(of: String)
        /// The content of a picture.
        case stream
        /// A label of a job was added or taken away.
        case link(label: String)
        /// The job of a part.
        case parent
    }

    enum Fate: Hashable, Sendable {
        /// The store accepted it: it must reach the service, once.
        case accepted
        /// It may reach the service, once: the process was killed meanwhile, or a conflict was decided against it.
        case possible
        /// It was undone, or refused: it must not reach the service.
        case undone
    }

    struct Change: Hashable, Sendable {
        var device: Int
        var kind: Kind
        /// The entity: `m12`
        var marker: String
        /// What is in the request and in no other: `m12` of a creation, `v13` of a value, `t14` of a request's tag.
        var token: String
        /// The new value; empty for none.
        var value = ""
        var fate = Fate.possible
        /// Of the changes of one change set, which the service executes together or not at all.
        var changeSet: String?
        /// A conflict was decided for it, against a newer version.
        var isInsistedOn = false
    }

    private let list = Mutex<[Change]>([])
    private let refused = Mutex<Set<Int>>([])
    private let lastNumber = Mutex(0)

    var changes: [Change] { list.withLock { $0 } }

    /// A word that was never used before.
    func newToken(_ letter: String) -> String {
        lastNumber.withLock { number in
            number += 1
            return "\(letter)\(number)"
        }
    }

    /// An app has decided something after which the service refuses what refers to it, although there was no other
    /// client.
    func expectRefusals(on device: Int) { refused.withLock { _ = $0.insert(device) } }

    func expectsRefusals(on device: Int) -> Bool { refused.withLock { $0.contains(device) } }

    /// A conflict was decided for the device: its requests with `tokens` go once more.
    ///
    /// - Parameter isMerged: One update replaces all values: only contents are sent again.
    func insist(on tokens: Set<String>, device: Int, isMerged: Bool = false) {
        list.withLock { list in
            for index in list.indices where list[index].device == device && tokens.contains(list[index].token) {
                if !isMerged || list[index].kind == .stream { list[index].isInsistedOn = true }
            }
        }
    }

    func add(_ changes: [Change]) { list.withLock { $0 += changes } }

    func set(_ fate: Fate, where matches: (Change) -> Bool) {
        list.withLock { list in
            for index in list.indices where matches(list[index]) { list[index].fate = fate }
        }
    }

    /// Changes have mended a request that was refused: what they replace in it need not reach the service any more.
    ///
    /// - Parameter dropped: The tokens that are in no request any more.
    func mend(_ dropped: Set<String>, by changes: [Change]) {
        loosen { earlier in
            dropped.contains(earlier.token)
                && changes.contains { later in
                    (later.device, later.marker, later.kind) == (earlier.device, earlier.marker, earlier.kind)
                }
        }
    }

    /// The labels that a device has given to jobs, and not taken away again: the markers of both.
    func ownLabels(of device: Int) -> [(label: String, job: String)] {
        var last: [String: (label: String, job: String, isGiven: Bool)] = [:]
        for change in changes where change.device == device && change.fate == .accepted {
            guard case .link(let label) = change.kind else { continue }
            last["\(label) \(change.marker)"] = (label, change.marker, !change.value.isEmpty)
        }
        return last.keys.sorted().compactMap { last[$0] }.filter(\.isGiven).map { ($0.label, $0.job) }
    }

    /// What was accepted need not reach the service any more.
    func loosen(where matches: (Change) -> Bool) {
        set(.possible) { $0.fate == .accepted && matches($0) }
    }
}
