import Foundation
import ODataModel

extension EdmGuid {
    /// The same 128 bits.
    public init(_ value: UUID) {
        let (high, low) = withUnsafeBytes(of: value.uuid) { bytes in
            (Self.number(bytes.prefix(8)), Self.number(bytes.dropFirst(8)))
        }
        self.init(high: high, low: low)
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension UUID {
    /// The same 128 bits.
    public init(_ value: EdmGuid) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            for index in 0..<16 {
                let half = index < 8 ? value.high : value.low
                buffer[index] = UInt8(truncatingIfNeeded: half >> UInt64(56 - index % 8 * 8))
            }
        }
        self.init(uuid: bytes)
    }
}
