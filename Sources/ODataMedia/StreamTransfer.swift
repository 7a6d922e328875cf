import MediaFiles
import ODataStores

/// Carries out what one ``StreamDownload`` says, until it is over or has to wait.
struct StreamTransfer {
    /// The work to continue after a wait.
    struct Course: Sendable {
        var download: StreamDownload
        var transferred: Int64 = 0
        /// The bytes of a small stream. A partial stream is closed meanwhile.
        var sink: StreamSink?
    }

    enum Ending: Sendable {
        case over(StreamDownloadResult)
        case later(Course, after: Duration)
        /// It is not transferred in this run.
        case notAdmitted
    }

    let request: StreamDownloadRequest
    let downloader: StreamDownloader
    let meter: StreamDownloadMeter
    /// Of the time before a wait.
    let course: Course?

    /// - Throws: `CancellationError` only; all other ends are results.
    func run() async throws -> Ending {
        guard await downloader.admits(request) else { return .notAdmitted }
        do {
            let sink =
                try self.course?.sink
                ?? StreamSink(name: request.name, folder: downloader.folder, limit: downloader.smallLimit)
            var course =
                self.course
                ?? Course(
                    download: StreamDownload(
                        length: sink.length, origin: sink.origin, etag: request.etag, plan: downloader.plan))
            course.download.reopened(length: sink.length)
            guard let plan = downloader.segments else { return try await run(course, into: sink, beside: nil) }
            return try await run(course, into: sink, plan)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .over(failed(error, attempts: course?.download.attempts ?? 0))
        }
    }

    /// With parts beside the beginning.
    private func run(
        _ course: Course, into sink: StreamSink, _ plan: SegmentPlan
    ) async throws -> Ending {
        let segments = StreamSegments(request: request, downloader: downloader, meter: meter, plan: plan)
        do {
            let ending = try await withThrowingTaskGroup(of: Void.self, returning: Ending.self) { group in
                group.addTask { await segments.run() }
                defer { group.cancelAll() }
                return try await run(course, into: sink, beside: segments)
            }
            if case .over(let result) = ending { try segments.close(after: result) }
            return ending
        } catch {
            // There is an error already that says more.
            try? segments.close(after: nil)
            throw error
        }
    }

    private func run(
        _ course: Course, into opened: StreamSink, beside segments: StreamSegments?
    ) async throws -> Ending {
        var (download, transferred) = (course.download, course.transferred)
        var sink = opened
        var source: StreamResult?
        var action = download.state == .retrying ? download.paused() : download.started()
        note(download)
        while true {
            switch action {
            case .request(let offset, let ifRange):
                (source, action) = await ask(from: offset, ifRange: ifRange, &download)
            case .receiveAll(let origin):
                try sink.restart(origin: origin)
                segments?.restart(origin)
                action = try await takeIn(&source, into: &sink, beside: segments, &download, &transferred)
            case .receiveRest:
                action = try await takeIn(&source, into: &sink, beside: segments, &download, &transferred)
            case .pause(let duration):
                try sink.synchronise()
                // Parts come on meanwhile.
                guard downloader.board.isSerial || segments != nil else {
                    let course = Course(
                        download: download, transferred: transferred, sink: sink.isInMemory ? sink : nil)
                    return .later(course, after: duration)
                }
                try await downloader.pause(duration)
                // Nothing is left of what could not be read any more.
                download.reopened(length: sink.length)
                action = download.paused()
            case .finish(let length, let digest):
                do {
                    let (media, bytes) = try sink.finish(length, digest, by: downloader.finish)
                    transferred += segments?.transferred ?? 0
                    return .over(finished(media, bytes, download.origin, transferred: transferred))
                } catch let error as MediaFileError where error.code == .wrongDigest {
                    action = try damaged(error, &sink, &download)
                }
            case .fail(let error):
                return .over(try failed(error, download, sink))
            }
            try Task.checkCancellation()
        }
    }

    private func note(_ download: StreamDownload) {
        downloader.board.note(
            request.id, acknowledged: download.length, total: download.origin?.totalLength)
    }

    private func ask(
        from offset: Int64, ifRange: String?, _ download: inout StreamDownload
    ) async -> (StreamResult?, StreamDownload.Action) {
        var read = StreamRequest(request.path)
        read.readLink = request.readLink
        read.offset = offset
        read.ifRange = ifRange
        do {
            let result = try await downloader.store.readStream(read).requiringContent(of: read)
            let total = result.totalLength ?? result.content.length.map { $0 + result.offset }
            let origin = PartialOrigin(
                etag: result.etag, contentType: result.contentType, totalLength: total, digest: result.digest,
                lastModified: result.lastModified)
            return (result, download.received(.init(offset: result.offset, origin: origin)))
        } catch {
            return (nil, download.broke(error))
        }
    }

    private func takeIn(
        _ source: inout StreamResult?, into sink: inout StreamSink, beside segments: StreamSegments?,
        _ download: inout StreamDownload, _ transferred: inout Int64
    ) async throws -> StreamDownload.Action {
        if let action = try await receive(source, into: &sink, beside: segments, &download, &transferred) {
            return action
        }
        // The rest of the response is not wanted: its connection need not wait.
        source = nil
        do {
            try await join(segments, to: &sink, &download)
            note(download)
            return download.joined()
        } catch let error as CancellationError {
            try sink.synchronise()
            throw error
        } catch {
            return download.broke(error)
        }
    }

    /// - Returns: Nil if the next part is received beside this response.
    private func receive(
        _ source: StreamResult?, into sink: inout StreamSink, beside segments: StreamSegments?,
        _ download: inout StreamDownload, _ transferred: inout Int64
    ) async throws -> StreamDownload.Action? {
        do {
            guard let source else { return download.ended() }
            try segments?.begin(download.origin, at: download.length)
            if segments?.next(at: download.length) != nil { return nil }
            // The digest of the whole stream covers its parts.
            let partDigest = source.digest == nil ? source.contentDigest : nil
            var hasher = partDigest.map { _ in MediaHasher() }
            for try await whole in try source.content.chunks() {
                try Task.checkCancellation()
                var rest = whole[...]
                repeat {
                    // What a part was to bring that is withdrawn meanwhile is this response's again.
                    let count = segments?.take(rest.count) ?? rest.count
                    let chunk = count == whole.count ? whole : Array(rest.prefix(count))
                    rest = rest.dropFirst(count)
                    try sink.append(chunk)
                    hasher?.update(chunk)
                    download.received(count)
                    transferred += Int64(count)
                    meter.note { $0.transferred += Int64(count) }
                    note(download)
                    if segments?.next(at: download.length) != nil { return nil }
                } while !rest.isEmpty
            }
            if let partDigest { try hasher?.finish().check(partDigest, of: "A part of \(request.name)") }
            return download.ended()
        } catch let error as CancellationError {
            try sink.synchronise()
            throw error
        } catch  where StreamFailure(error) == .damaged {
            return try damaged(error, &sink, &download)
        } catch {
            return download.broke(error)
        }
    }

    /// It is unknown which of the bytes are wrong: no run continues them.
    private func damaged(
        _ error: any Error, _ sink: inout StreamSink, _ download: inout StreamDownload
    ) throws -> StreamDownload.Action {
        try sink.spoil()
        return download.broke(error)
    }

    private func finished(
        _ media: StoredMedia, _ bytes: [UInt8]?, _ origin: PartialOrigin?, transferred: Int64
    ) -> StreamDownloadResult {
        meter.note { $0.finished += 1 }
        let stream = DownloadedStream(
            media: media, bytes: bytes, contentType: origin?.contentType, etag: origin?.etag,
            lastModified: origin?.lastModified,
            hasDigest: origin?.digest != nil, transferred: transferred)
        return StreamDownloadResult(request: request, outcome: .success(stream))
    }

    private func failed(
        _ error: any Error, _ download: StreamDownload, _ sink: StreamSink
    ) throws -> StreamDownloadResult {
        if error is CancellationError || (error as? ODataError)?.code == .cancelled { throw CancellationError() }
        let result = failed(error, attempts: download.attempts)
        // What the service does not have any more is not continued either.
        if case .failure(let failure) = result.outcome, failure.isMissing || sink.length == 0 {
            try sink.discard()
        } else {
            try sink.synchronise()
        }
        return result
    }

    private func failed(_ error: any Error, attempts: Int) -> StreamDownloadResult {
        meter.note { $0.failed += 1 }
        return StreamDownloadResult(
            request: request, outcome: .failure(StreamDownloadError(cause: error, attempts: attempts)))
    }
}
