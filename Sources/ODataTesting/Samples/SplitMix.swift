/// A small generator with a seed, for data that are the same every time.
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The same seed gives the same numbers everywhere.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number in 0 ..< `limit`.
    package mutating func number(below limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    mutating func element<T>(of choices: [T]) -> T { choices[number(below: choices.count)] }
}
