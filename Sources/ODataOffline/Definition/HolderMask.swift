import ODataSQL
import ODataSQLite

/// Some nodes of defining queries, as masks of the holder words: a condition on a row stays short for any number of
/// nodes.
struct HolderMask: Sendable {
    /// By the number of the word.
    private var masks: [Int: Int64] = [:]

    init() {}

    init(_ slots: some Sequence<HolderSlot>) {
        for slot in slots { insert(slot) }
    }

    var isEmpty: Bool { masks.isEmpty }

    mutating func insert(_ slot: HolderSlot) { masks[slot.word, default: 0] |= slot.bit }

    /// SQL that is true of the rows that any of the nodes holds: `("$holders0" & 5 <> 0 OR "$holders1" & 1 <> 0)`
    var isHeld: String {
        guard !isEmpty else { return "0" }
        let words = masks.sorted { $0.key < $1.key }
            .map { word, mask in "\(quoted(HolderSlot.column(word))) & \(mask) <> 0" }
        return "(\(words.joined(separator: " OR ")))"
    }
}
