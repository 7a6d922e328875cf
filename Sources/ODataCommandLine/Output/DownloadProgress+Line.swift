import OData

extension DownloadProgress {
    /// `orders: 2000 entities, 2 pages`
    var line: String {
        switch phase {
        case .reading: "\(query): \(entities) entities, \(pages) pages"
        case .publishing: "\(query): \(entities) entities"
        case .streams: "streams: \(finishedStreams) of \(streams), \(bytes) bytes"
        }
    }

    /// Whether the line is worth keeping where lines are not written over.
    var isMilestone: Bool {
        phase == .publishing || (phase == .streams && finishedStreams + failedStreams == streams)
    }
}
