/// A stream whose bytes are all in the folder, and that has no name there yet. It is removed with the value, unless
/// it was kept.
package final class IncomingMedia: Sendable {
    static let headLength = 65_536
    package let media: StoredMedia
    /// The first bytes, up to 64 KiB: they determine the media type.
    package let head: [UInt8]
    let file: any StreamFile
    private let folder: MediaFolder

    init(_ media: StoredMedia, head: [UInt8], file: any StreamFile, folder: MediaFolder) {
        self.media = media
        self.head = head
        self.file = file
        self.folder = folder
    }

    deinit { folder.forget(file) }
}
