#if canImport(Photos)
    import Foundation
    import Photos
    import Synchronization
    import UniformTypeIdentifiers

    /// The original of an asset of the photo library as a source. The library gives it only from its start and as fast
    /// as it can, so it is written to a temporary file each time the source is opened, and read from there.
    ///
    /// Opening it in a thread that waits (a synchronous stream) is an error on the main thread, which the library may
    /// need to respond. Within a ``JoinedSource``, which is asynchronous then, that is not noticed: a synchronous
    /// stream
    /// over one must not be opened or read on the main thread. For Apple platforms; written on
    /// Linux, where it was type-checked (`Scripts/check-apple`) and never run.
    ///
    /// `@unchecked Sendable`: the library's objects are not declared sendable, but are immutable.
    public struct PhotoAssetSource: BlockingByteSource, @unchecked Sendable {
        public let contentType: String?
        private let asset: PHAsset
        private let resource: PHAssetResource

        /// - Throws: ``ByteStreamError`` with code `notFound` if the asset has no bytes.
        public init(_ asset: PHAsset) throws {
            let resources = PHAssetResource.assetResources(for: asset)
            guard let resource = resources.first(where: { $0.type == .photo || $0.type == .video }) ?? resources.first
            else { throw ByteStreamError(.notFound, "The asset \(asset.localIdentifier) has no original.") }
            (self.asset, self.resource) = (asset, resource)
            contentType = UTType(resource.uniformTypeIdentifier)?.preferredMIMEType
        }

        /// Unknown before the bytes have been asked for: they may be in the cloud.
        public var length: Int64? { nil }

        /// - Throws: ``ByteStreamError`` with code `notFound` if the asset has been deleted.
        public func identity() throws -> SourceIdentity? {
            let found = PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: nil)
            guard let asset = found.firstObject else {
                throw ByteStreamError(.notFound, "The asset \(asset.localIdentifier) is not in the library any more.")
            }
            return SourceIdentity(
                modified: asset.modificationDate.map { Int64($0.timeIntervalSince1970 * 1_000_000_000) })
        }

        public func open(at offset: Int64) throws -> ByteChunks {
            try SequenceSource { offset in try await exported().open(at: offset) }.open(at: offset)
        }

        public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
            guard !Thread.isMainThread else {
                throw ByteStreamError(.unreadable, "A photo must not be read on the main thread by a waiting stream.")
            }
            let done = DispatchSemaphore(value: 0)
            let outcome = Mutex(Result<HandleSource, any Error>?.none)
            export { result in
                outcome.withLock { $0 = result }
                done.signal()
            }
            done.wait()
            guard let result = outcome.withLock({ $0 }) else {
                throw ByteStreamError(.unreadable, "The photo library gave no response.")
            }
            return try result.get().openBlocking(at: offset)
        }

        private func exported() async throws -> HandleSource {
            let caller = WaitingCaller<HandleSource>()
            return try await caller.value { export { caller.end(with: $0) } }
        }

        /// Writes the original to a file that is removed after the last reader.
        private func export(_ completion: @escaping @Sendable (Result<HandleSource, any Error>) -> Void) {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("photo-\(UUID().uuidString)")
            let options = PHAssetResourceRequestOptions()
            options.isNetworkAccessAllowed = true
            PHAssetResourceManager.default().writeData(for: resource, toFile: file, options: options) { error in
                defer { try? FileManager.default.removeItem(at: file) }
                completion(
                    Result {
                        if let error { throw error }
                        let handle = try FileHandle(forReadingFrom: file)
                        defer { try? handle.close() }
                        return try HandleSource(handle)
                    })
            }
        }
    }
#endif
