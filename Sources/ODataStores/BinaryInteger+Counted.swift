extension BinaryInteger {
    /// The number with the word for what is counted: `1 stream`, `3 streams`, `3 queries`.
    ///
    /// - Parameter many: What is not the word with an `s` behind it.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
