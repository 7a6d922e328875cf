import ByteStreams

/// Bytes that begin with a word and are like nothing else.
enum SimulatedPicture {
    static func content(_ token: String) -> ByteContent { ByteContent(bytes(token)) }

    static func bytes(_ token: String) -> [UInt8] {
        var random = SplitMix(seed: token.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) })
        let length = random.number(below: 5) == 0 ? 70_000 : random.number(below: 3000)
        return Array("\(token) ".utf8) + (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
