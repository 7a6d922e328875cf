import MediaFiles
import ODataStores

/// Carries out what ``SegmentDownload`` says.
extension StreamSegments {
    /// Downloads parts at a time. Whether the service gives parts is tried with one, unless it has given some already.
    func transfer(_ parts: [Part], of origin: PartialOrigin) async {
        await withTaskGroup(of: Void.self) { group in
            var rest = parts[...]
            if !parts.contains(where: isAccepted), let first = rest.popFirst() {
                let (accepted, signal) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    await self.transfer(first, of: origin) { signal.finish() }
                    signal.finish()
                }
                for await _ in accepted {}
                guard isAccepted(first) else { return }
            }
            for part in rest {
                group.addTask { await self.transfer(part, of: origin) {} }
            }
        }
    }

    private func transfer(_ part: Part, of origin: PartialOrigin, accepted: @Sendable () -> Void) async {
        defer { part.coming.continuation.finish() }
        var course = SegmentDownload(
            range: part.range, length: part.partial.length, origin: origin, plan: downloader.plan)
        var action = course.started()
        var source: StreamResult?
        while !Task.isCancelled, !isOver {
            switch action {
            case .request(let offset, let count):
                (source, action) = await ask(offset, count, origin, &course)
            case .receive:
                guard let result = source, accept(part) else { return }
                accepted()
                source = nil
                action = await receive(result, into: part, of: origin, &course)
            case .pause(let duration):
                do { try await downloader.pause(duration) } catch { return }
                action = course.paused()
            case .end:
                return
            }
        }
    }

    private func ask(
        _ offset: Int64, _ count: Int64, _ origin: PartialOrigin, _ course: inout SegmentDownload
    ) async -> (StreamResult?, SegmentDownload.Action) {
        var read = StreamRequest(request.path)
        read.readLink = request.readLink
        read.offset = offset
        read.count = count
        read.ifRange = origin.strongETag
        do {
            let result = try await downloader.store.readStream(read).requiringContent(of: read)
            let response = PartialOrigin(etag: result.etag, totalLength: result.totalLength, digest: result.digest)
            return (result, course.received(.init(offset: result.offset, origin: response)))
        } catch {
            return (nil, course.broke(error))
        }
    }

    private func receive(
        _ source: StreamResult, into part: Part, of origin: PartialOrigin, _ course: inout SegmentDownload
    ) async -> SegmentDownload.Action {
        do {
            if part.partial.length == 0 { try part.partial.restart(origin: origin) }
            let partDigest = source.digest == nil ? source.contentDigest : nil
            var hasher = MediaHasher()
            for try await chunk in try source.content.chunks() {
                try Task.checkCancellation()
                guard !isOver else { return .end }
                // More than was asked for is another part's.
                let own = Array(chunk.prefix(Int(min(course.missing, Int64(chunk.count)))))
                guard !own.isEmpty else { break }
                try part.partial.append(own)
                if partDigest != nil { hasher.update(own) }
                course.received(own.count)
                note(own.count)
            }
            if let partDigest { try hasher.finish().check(partDigest, of: "A part of \(request.name)") }
            return course.ended()
        } catch let error as MediaFileError where error.code == .wrongDigest {
            // It is unknown which of the bytes are wrong. If they cannot be removed now, they are when all has ended.
            try? withdraw(part)
            return .end
        } catch {
            // An encrypted part that cannot be read any more is empty now.
            guard part.partial.length >= course.length else {
                try? withdraw(part)
                return .end
            }
            return course.broke(error)
        }
    }
}

extension StreamTransfer {
    /// Appends the parts that are next to what there is.
    func join(
        _ segments: StreamSegments?, to sink: inout StreamSink, _ download: inout StreamDownload
    ) async throws {
        while let segments, let part = segments.next(at: download.length) {
            for await _ in part.coming.stream {}
            try Task.checkCancellation()
            guard segments.isAccepted(part) else { break }
            var count: Int64 = 0
            let length = min(part.partial.length, Int64(part.range.count))
            // What cannot be read comes again.
            while count < length,
                let piece = try? part.partial.read(Int(min(131_072, length - count)), at: count), !piece.isEmpty
            {
                try sink.append(piece)
                download.received(piece.count)
                count += Int64(piece.count)
            }
            try segments.joined(part, count)
        }
    }
}
