extension SourceInputStream {
    /// A stream over content that may be readable only once: it can then neither be set to another offset nor be given
    /// for a repetition of a request.
    public convenience init(_ content: ByteContent, mode: Mode = .synchronous, readAhead: Int = 131_072) {
        self.init(ContentSource(content: content), mode: mode, readAhead: readAhead)
    }
}
