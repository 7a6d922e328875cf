import MediaFiles
import ODataStores

/// Carries out what one ``StreamDownload`` says.
struct StreamTransfer {
    let request: StreamDownloadRequest
    let downloader: StreamDownloader
    let meter: StreamDownloadMeter

    /// - Throws: `CancellationError` only; all other ends are results.
    func run() async throws -> StreamDownloadResult {
        do {
            let partial = try downloader.folder.partial(named: request.name)
            let download = StreamDownload(
                length: partial.length, origin: partial.origin, etag: request.etag, plan: downloader.plan)
            return try await run(download, into: partial)
        } catch let error as CancellationError {
            throw error
        } catch {
            return failed(error, attempts: 0)
        }
    }

    private func run(_ start: StreamDownload, into partial: PartialMedia) async throws -> StreamDownloadResult {
        var download = start
        var transferred: Int64 = 0
        var source: StreamResult?
        var action = download.started()
        while true {
            switch action {
            case .request(let offset, let ifRange):
                (source, action) = await ask(from: offset, ifRange: ifRange, &download)
            case .receiveAll(let origin):
                try partial.restart(origin: origin)
                action = try await receive(source, into: partial, &download, &transferred)
            case .receiveRest:
                action = try await receive(source, into: partial, &download, &transferred)
            case .pause(let duration):
                try partial.synchronise()
                try await downloader.pause(duration)
                action = download.paused()
            case .finish(let length, let digest):
                do {
                    let media = try partial.finish(expectedLength: length, expectedDigest: digest)
                    return finished(media, download.origin, transferred: transferred)
                } catch let error as MediaFileError where error.code == .wrongDigest {
                    action = try damaged(error, partial, &download)
                }
            case .fail(let error):
                return try failed(error, download, partial)
            }
            try Task.checkCancellation()
        }
    }

    private func ask(
        from offset: Int64, ifRange: String?, _ download: inout StreamDownload
    ) async -> (StreamResult?, StreamDownload.Action) {
        var read = StreamRequest(request.path)
        read.readLink = request.readLink
        read.offset = offset
        read.ifRange = ifRange
        do {
            let result = try await downloader.store.readStream(read)
            let total = result.totalLength ?? result.content.length.map { $0 + result.offset }
            let origin = PartialOrigin(
                etag: result.etag, contentType: result.contentType, totalLength: total, digest: result.digest)
            return (result, download.answered(.init(offset: result.offset, origin: origin)))
        } catch {
            return (nil, download.broke(error))
        }
    }

    private func receive(
        _ source: StreamResult?, into partial: PartialMedia, _ download: inout StreamDownload,
        _ transferred: inout Int64
    ) async throws -> StreamDownload.Action {
        do {
            guard let source else { return download.ended() }
            // The digest of the whole stream covers its parts.
            let partDigest = source.digest == nil ? source.contentDigest : nil
            var hasher = partDigest.map { _ in MediaHasher() }
            for try await chunk in try source.content.chunks() {
                try Task.checkCancellation()
                try partial.append(chunk)
                hasher?.update(chunk)
                download.received(chunk.count)
                transferred += Int64(chunk.count)
                meter.note { $0.transferred += Int64(chunk.count) }
            }
            if let partDigest { try hasher?.finish().check(partDigest, of: "A part of \(request.name)") }
            return download.ended()
        } catch let error as CancellationError {
            try partial.synchronise()
            throw error
        } catch let error as MediaFileError where error.code == .wrongDigest {
            return try damaged(error, partial, &download)
        } catch {
            return download.broke(error)
        }
    }

    /// Nobody knows which of the bytes are wrong: no run continues them.
    private func damaged(
        _ error: MediaFileError, _ partial: PartialMedia, _ download: inout StreamDownload
    ) throws -> StreamDownload.Action {
        try partial.restart(origin: PartialOrigin())
        return download.broke(error)
    }

    private func finished(
        _ media: StoredMedia, _ origin: PartialOrigin?, transferred: Int64
    ) -> StreamDownloadResult {
        meter.note { $0.finished += 1 }
        let stream = DownloadedStream(
            media: media, contentType: origin?.contentType, etag: origin?.etag, transferred: transferred)
        return StreamDownloadResult(request: request, outcome: .success(stream))
    }

    private func failed(
        _ error: any Error, _ download: StreamDownload, _ partial: PartialMedia
    ) throws -> StreamDownloadResult {
        if error is CancellationError || (error as? ODataError)?.code == .cancelled { throw CancellationError() }
        let result = failed(error, attempts: download.attempts)
        // What the service does not have any more is not continued either.
        if case .failure(let failure) = result.outcome, failure.isMissing || partial.length == 0 {
            try partial.discard()
        } else {
            try partial.synchronise()
        }
        return result
    }

    private func failed(_ error: any Error, attempts: Int) -> StreamDownloadResult {
        meter.note { $0.failed += 1 }
        return StreamDownloadResult(
            request: request, outcome: .failure(StreamDownloadError(cause: error, attempts: attempts)))
    }
}
