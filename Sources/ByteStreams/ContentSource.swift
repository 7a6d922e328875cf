/// Content as a source. What can be read only once can be opened only once, at its start.
package struct ContentSource: ByteSource {
    package let content: ByteContent

    package init(content: ByteContent) {
        self.content = content
    }

    package var length: Int64? { content.length }

    package func open(at offset: Int64) throws -> ByteChunks { try content.chunks(from: offset) }
}
