import ArgumentParser
import Foundation
import OData

/// Where a store's streams are, and how many bytes they may have.
struct MediaOptions: ParsableArguments {
    @Option(
        help: """
            The folder that the store shares with others for their streams. 'init' keeps it; later only needed where \
            it was moved, which is kept by commands that open the store for changes.
            """,
        completion: .directory)
    var mediaFolder: String?

    @Flag(
        help: """
            The folder that the store shared is lost: --media-folder, or a new folder in its place, is used instead. \
            Streams that were not sent are lost, all others are fetched again.
            """)
    var replaceMediaFolder = false

    @Option(
        help: "A file with the key of --media-folder, if that is encrypted. Else $ODATA_MEDIA_KEY_FILE.",
        completion: .file())
    var mediaKeyFile: String?

    @Option(
        help: """
            The bytes of all streams in the media folder, of their thumbnails and of partial streams; beyond it \
            the streams that were used least recently are evicted.
            """)
    var mediaQuota: Int64?

    func validate() throws {
        if let mediaQuota, mediaQuota < 0 { throw ValidationError("--media-quota takes a number of bytes.") }
    }

    /// How the store is opened.
    ///
    /// - Parameter settings: Of the store; nil for a new one.
    func configuration(_ settings: StoreSettings?) throws -> OfflineStore.Configuration {
        var configuration = OfflineStore.Configuration()
        configuration.mediaFolder = absoluteFolder ?? settings?.mediaFolder
        configuration.replacesMediaFolder = replaceMediaFolder
        configuration.mediaQuota = mediaQuota ?? settings?.mediaQuota
        if configuration.mediaFolder != nil {
            let file = mediaKeyFile ?? ProcessInfo.processInfo.environment["ODATA_MEDIA_KEY_FILE"]
            configuration.mediaKey = try file.flatMap { $0.isEmpty ? nil : try KeyFileOption.key(in: $0) }
        }
        return configuration
    }

    /// The same in each working directory.
    private var absoluteFolder: String? { mediaFolder.map { URL(fileURLWithPath: $0).path } }
}
