import ODataStores

/// The content of a stream that has arrived, and what its request says of it.
struct ReceivedMedia {
    let upload: StreamUpload
    /// The media type; nil if the request does not name one.
    var type: String?
    var slug: String?

    /// Nil for a change without a stream.
    init?(_ change: PreparedChange) {
        guard let upload = change.upload else { return nil }
        self.upload = upload
        switch change.request.operation {
        case .createMedia(let media, let slug): (type, self.slug) = (media.contentType, slug)
        case .replaceStream(let media): type = media.contentType
        default: break
        }
        if type?.isEmpty == true { type = nil }
    }

    /// The media type, if it is specific.
    var specificType: String? {
        type.flatMap { $0.lowercased().hasPrefix("application/octet-stream") ? nil : $0 }
    }
}
