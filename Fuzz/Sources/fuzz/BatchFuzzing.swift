import ODataFormats

enum BatchFuzzing {
    /// What is read is written, and that is read again.
    static func read(_ bytes: [UInt8], format: BatchFormat) {
        _ = try? Batch.readResponses(bytes, format: format)
        guard let parts = try? Batch.readRequests(bytes, format: format) else { return }
        let (type, written) = Batch.writeRequests(parts, format: format)
        let again = BatchFormat(contentType: type).flatMap { try? Batch.readRequests(written, format: $0) }
        precondition(
            again?.count == parts.count, "\(String(decoding: written, as: UTF8.self)) is not read as it was written.")
    }
}
