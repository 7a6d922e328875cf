/// A number of bytes as a person reads it: `999 B`, `12.4 MB`
package struct ByteSize: CustomStringConvertible {
    package let bytes: Int64

    package init(_ bytes: Int64) {
        self.bytes = bytes
    }

    package var description: String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var (whole, tenth) = (bytes, Int64(0))
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB"] where whole >= 1000 {
            (whole, tenth) = (whole / 1000, whole % 1000 / 100)
            unit = next
        }
        return "\(whole).\(tenth) \(unit)"
    }
}
