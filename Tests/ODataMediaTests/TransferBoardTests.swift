import MediaFiles
import ODataMedia
import ODataStores
import Synchronization
import Testing

@Suite("Transfer board")
struct TransferBoardTests {
    private let bytes = StreamDownloaderTests.bytes
    private let board = TransferBoard(limit: 1)

    private func id(_ number: Int64) -> TransferSnapshot.ID { .init("download \(number)") }

    private func snapshot(_ number: Int64) -> TransferSnapshot? { board.snapshots.first { $0.id == id(number) } }

    /// The names of what came, and the codes of what did not.
    private func download(
        _ numbers: [Int64], in run: Run, by board: TransferBoard? = nil,
        progress: @escaping @Sendable (StreamDownloadProgress) -> Void = { _ in },
        after: (String) -> Void = { _ in }
    ) async throws -> [String] {
        try await download([numbers], of: numbers.count, in: run, by: board, progress: progress, after: after)
    }

    /// As many at a time as each of `batches` has.
    private func download(
        _ batches: [[Int64]], of count: Int, in run: Run, by board: TransferBoard? = nil,
        progress: @escaping @Sendable (StreamDownloadProgress) -> Void = { _ in },
        after: (String) -> Void = { _ in }
    ) async throws -> [String] {
        var (rest, results) = (batches[...], [String]())
        try await run.downloader(board ?? self.board).download(
            count, progress: progress,
            more: { _ in StreamDownloadBatch(requests: (rest.popFirst() ?? []).map(run.request)) },
            handle: { result in
                switch result.outcome {
                case .success: results.append(result.request.name)
                case .failure(let error): results.append("\(result.request.name) \(error.storeError.code.name)")
                }
                after(result.request.name)
            })
        return results
    }

    @Test("One that is paused while it runs makes room, keeps what has come, and does not keep the run from ending")
    func pause() async throws {
        let run = try Run([1: .init(bytes: bytes, faults: [.stall(after: 6)]), 2: .init(bytes: bytes)])
        let results = try await download(
            [1, 2], in: run,
            progress: { [board, first = id(1)] in
                if $0.transferred == 6 { #expect(board.pause(first)) }
            })
        #expect(results == ["2"])
        #expect(snapshot(1)?.state == .paused)
        #expect(snapshot(1)?.acknowledged == 6)
        #expect(snapshot(1)?.total == 20)
        #expect(snapshot(2)?.state == .finished)
        #expect(!board.pause(id(2)))
        // It stays paused in the next run.
        #expect(try await download([1], in: run) == [])
        #expect(board.resume(id(1)))
        #expect(!board.resume(id(1)))
        #expect(try await download([1], in: run) == ["1"])
        #expect(run.store.requests == ["1 from 0", "2 from 0", "1 from 6 if \"1\""])
        #expect(board.snapshots.map(\.id) == [id(1)])
    }

    @Test("One that is resumed goes on in the run")
    func resume() async throws {
        let run = try Run([1: .init(bytes: bytes, faults: [.stall(after: 6)]), 2: .init(bytes: bytes)])
        let results = try await download(
            [1, 2], in: run,
            progress: { [board, first = id(1)] in if $0.transferred == 6 { _ = board.pause(first) } },
            after: { if $0 == "2" { #expect(board.resume(id(1))) } })
        #expect(results == ["2", "1"])
        #expect(run.store.requests == ["1 from 0", "2 from 0", "1 from 6 if \"1\""])
    }

    @Test("What is cancelled fails alone, before its turn and while it runs, and comes with the next run")
    func cancel() async throws {
        let run = try Run([
            1: .init(bytes: bytes, faults: [.stall(after: 6)]), 2: .init(bytes: bytes), 3: .init(bytes: bytes),
        ])
        let results = try await download(
            [1, 2, 3], in: run,
            progress: { [board, first = id(1)] in if $0.transferred == 6 { _ = board.cancel(first) } },
            after: { if $0 == "1" { #expect(board.cancel(id(3))) } })
        #expect(results == ["1 cancelled", "3 cancelled", "2"])
        #expect(board.snapshots.map(\.state) == [.cancelled, .finished, .cancelled])
        #expect(!board.cancel(id(3)))
        #expect(try await download([1, 3], in: run) == ["1", "3"])
        #expect(run.store.requests == ["1 from 0", "2 from 0", "1 from 6 if \"1\"", "3 from 0"])
    }

    @Test("What an earlier run left paused and is cancelled does not come with a later batch of this one")
    func cancelPaused() async throws {
        let run = try Run([1: .init(bytes: bytes), 2: .init(bytes: bytes, faults: [.stall(after: 6)])])
        _ = try await download(
            [2], in: run, progress: { [board, second = id(2)] in if $0.transferred == 6 { _ = board.pause(second) } })
        let results = try await download(
            [[1], [2]], of: 2, in: run, after: { if $0 == "1" { #expect(board.cancel(id(2))) } })
        #expect(results == ["1", "2 cancelled"])
        #expect(board.snapshots.map(\.state) == [.cancelled, .finished])
        #expect(try await download([2], in: run) == ["2"])
        #expect(run.store.requests == ["2 from 0", "1 from 0", "2 from 6 if \"1\""])
    }

    @Test("One that is cancelled and comes again is told once, and takes no place of others")
    func cancelledTwice() async throws {
        let streams = Dictionary(uniqueKeysWithValues: (1...4).map { (Int64($0), StreamStore.Stream(bytes: bytes)) })
        let run = try Run(streams)
        // There is room for more while one of the host runs.
        let board = TransferBoard(limit: 2, hostLimit: 1, batch: 2)
        let results = try await download(
            [[1, 2, 3], [3, 4]], of: 4, in: run, by: board, after: { if $0 == "1" { #expect(board.cancel(id(3))) } })
        #expect(results == ["1", "3 cancelled", "2", "4"])
        #expect(run.store.requests == ["1 from 0", "2 from 0", "4 from 0"])
    }

    @Test("The number of all streams is right in the end, if fewer or more come than it seemed", arguments: [2, 9])
    func total(count: Int) async throws {
        let streams = Dictionary(uniqueKeysWithValues: (1...3).map { (Int64($0), StreamStore.Stream(bytes: bytes)) })
        let totals = Mutex<[Int]>([])
        let results = try await download(
            [[1], [2], [3]], of: count, in: try Run(streams),
            progress: { progress in totals.withLock { $0.append(progress.streams) } })
        #expect(results == ["1", "2", "3"])
        let seen = totals.withLock { $0 }
        #expect(seen.first == count && seen.last == 3)
    }

    @Test("An observer who takes nothing keeps no more than the board has; one who has begun sees the end")
    func idleObserver() async throws {
        let streams = Dictionary(uniqueKeysWithValues: (1...60).map { (Int64($0), StreamStore.Stream(bytes: bytes)) })
        let board = TransferBoard(limit: 1, batch: 5)
        let changes = board.changes
        let batches = (Int64(1)...60).map { [$0] }
        #expect(try await download(batches, of: 60, in: try Run(streams), by: board).count == 60)
        let known = board.snapshots.map(\.path)
        #expect(known.count < 12)
        _ = board.beginUploads([upload(3)])
        #expect(board.snapshots.map(\.id) == [upload(3).id])
        var watched = board.changes.makeAsyncIterator()
        #expect(await watched.next()?.state == .waiting)
        #expect(board.startUpload(upload(3)) != nil)
        board.endUpload(upload(3).id, as: .finished)
        _ = board.beginUploads([])
        #expect(await watched.next()?.state == .finished)
        board.finish()
        let seen = await changes.reduce(into: [String]()) { $0.append($1.path) }
        #expect(seen.isEmpty)
    }

    @Test("A priority that changes in the run holds in the next one too")
    func priority() async throws {
        let streams = Dictionary(uniqueKeysWithValues: (1...4).map { (Int64($0), StreamStore.Stream(bytes: bytes)) })
        let run = try Run(streams)
        let results = try await download(
            [1, 2, 3, 4], in: run, after: { if $0 == "1" { #expect(board.setPriority(5, of: id(4))) } })
        #expect(results == ["1", "2", "4", "3"])
        #expect(!board.setPriority(1, of: id(4)))
        #expect(try await download([1, 2, 3, 4], in: run) == ["4", "1", "2", "3"])
        #expect(!board.setPriority(1, of: id(9)))
    }

    @Test("Of any number of streams few are on the board at a time; all come, and what the app wants of them is done")
    func batches() async throws {
        var streams: [Int64: StreamStore.Stream] = [:]
        for number in Int64(1)...60 { streams[number] = .init(bytes: bytes) }
        streams[7]?.faults = [.error(ODataError(.forbidden, "no"))]
        streams[8]?.faults = [.error(ODataError(.unreachable, "later"))]
        let run = try Run(streams)
        let board = TransferBoard(limit: 2, batch: 5)
        var (rest, limits) = ((Int64(1)...60)[...], [Int]())
        var (names, failed, most) = ([String](), [String](), 0)
        let totals = Mutex<Set<Int>>([])
        try await run.downloader(board).download(
            61, progress: { progress in totals.withLock { _ = $0.insert(progress.streams) } },
            more: { limit in
                limits.append(limit)
                defer { rest = rest.dropFirst(limit) }
                // Nothing said before that one cannot be asked for.
                return StreamDownloadBatch(
                    requests: rest.prefix(limit).map(run.request), fewer: rest.first == 1 ? 1 : 0)
            },
            handle: { result in
                let name = result.request.name
                switch result.outcome {
                case .success: names.append(name)
                case .failure(let error): failed.append("\(name) \(error.storeError.code.name)")
                }
                most = max(most, board.snapshots.count)
                let waiting = Set(board.snapshots.filter { $0.state == .waiting }.map(\.path))
                if waiting.contains("30") { #expect(board.pause(id(30))) }
                if waiting.contains("33") { #expect(board.cancel(id(33))) }
            })
        let missing: Set<Int> = [7, 30, 33]
        let downloaded: [String] = (1...60).filter { !missing.contains($0) }.map { "\($0)" }
        #expect(names.sorted() == downloaded.sorted())
        #expect(failed == ["7 forbidden", "33 cancelled"])
        #expect(most > 5 && most < 25)
        #expect(limits.count == 13 && Set(limits) == [5])
        #expect(totals.withLock { $0 } == [60])
        #expect(board.snapshots.first { $0.state == .paused }?.id == id(30))
        #expect(board.snapshots.last?.id == id(60))
        #expect(board.snapshots.count < 15)
        #expect(board.resume(id(30)))
        #expect(try await download([30, 33], in: run, by: board).sorted() == ["30", "33"])
        #expect(board.snapshots.map(\.id) == [id(30), id(33)])
    }

    @Test("While a host is to be left alone no more of its streams are asked for than there is room for")
    func heldBatches() async throws {
        var busy = ODataError(.unreachable, "later")
        busy.retryAfter = 7
        var streams: [Int64: StreamStore.Stream] = [:]
        for number in Int64(1)...20 { streams[number] = .init(bytes: bytes, faults: [.error(busy)]) }
        let run = try Run(streams)
        let board = TransferBoard(limit: 2, batch: 3)
        var (rest, most, count) = ((Int64(1)...20)[...], 0, 0)
        try await run.downloader(board).download(
            20,
            more: { limit in
                defer { rest = rest.dropFirst(limit) }
                most = max(most, board.snapshots.count { $0.state == .waiting })
                return StreamDownloadBatch(requests: rest.prefix(limit).map(run.request))
            },
            handle: { _ in count += 1 })
        #expect(count == 20)
        #expect(most < 3)
    }

    @Test("One that waits to be tried again leaves its place, unless the service wants to be left alone")
    func waits() async throws {
        var busy = ODataError(.unreachable, "later")
        for wish in [nil, 7] {
            busy.retryAfter = wish
            let streams: [Int64: StreamStore.Stream] = [
                1: .init(bytes: bytes, faults: [.error(busy)]), 2: .init(bytes: bytes),
            ]
            let parallel = TransferBoard(limit: 2, hostLimit: 1)
            let names = try await download([1, 2], in: try Run(streams), by: parallel)
            #expect(names == (wish == nil ? ["2", "1"] : ["1", "2"]))
            // Of streams that come one at a time none overtakes another.
            #expect(try await download([1, 2], in: try Run(streams)) == ["1", "2"])
        }
    }

    @Test("Observers see all transfers, then what changes, and never fewer bytes")
    func observers() async throws {
        let down = StreamStore.Fault.error(ODataError(.forbidden, "no"))
        let run = try Run([
            1: .init(bytes: bytes, faults: [.cut(after: 9), .damage]), 2: .init(bytes: bytes, faults: [down]),
        ])
        #expect(try await download([1, 2], in: run) == ["1", "2 forbidden"])
        let changes = board.changes
        async let seen = changes.reduce(into: [String]()) { seen, snapshot in
            seen.append("\(snapshot.path) \(snapshot.state) \(snapshot.acknowledged)")
        }
        board.finish()
        let first = await seen
        #expect(first == ["1 finished 20", "2 failed 0"])
        #expect(snapshot(2)?.error?.code == .forbidden)

        let other = TransferBoard(limit: 2)
        let second = try Run([1: .init(bytes: bytes, faults: [.cut(after: 9), .cut(after: 6)])])
        async let acknowledged = other.changes.reduce(into: [Int64]()) { $0.append($1.acknowledged) }
        try await second.downloader(other).download([second.request(1)]) { _ in }
        let after = other.changes
        other.finish()
        let all = await acknowledged
        #expect(all == all.sorted())
        for late in [after, other.changes] {
            let seen = await late.reduce(into: [Int64]()) { $0.append($1.acknowledged) }
            #expect(seen == [20])
        }
    }

    private func upload(_ acknowledged: Int64, content: String = "a") -> TransferSnapshot {
        var upload = TransferSnapshot(id: .init("upload 1"), direction: .upload, path: "1", priority: 0)
        (upload.acknowledged, upload.total, upload.content) = (acknowledged, 20, content)
        return upload
    }

    @Test("An upload is stopped when the app wants it, waits until it wants it again, and never has fewer bytes")
    func uploads() async throws {
        let id = upload(0).id
        _ = board.beginUploads([upload(3)])
        #expect(board.snapshots.map(\.state) == [.waiting] && board.uploadControl.paused.isEmpty)
        let stop = try #require(board.startUpload(upload(3)))
        board.note(id, acknowledged: 9, total: 20, host: "other")
        #expect(board.stoppedUpload(id) == nil)
        #expect(board.pause(id))
        // It ends.
        for await _ in stop {}
        #expect(board.stoppedUpload(id)?.state == .paused && board.uploadControl.paused == [id])
        #expect(board.startUpload(upload(3)) == nil)
        board.endUpload(id, as: .waiting)
        board.endUploads()
        #expect(board.snapshots.map(\.state) == [.paused])
        // As it was in the next run too, also if the service has forgotten some of it.
        _ = board.beginUploads([upload(4)])
        #expect(board.snapshots.map(\.acknowledged) == [9] && board.snapshots.map(\.state) == [.paused])
        // Other content begins anew.
        _ = board.beginUploads([upload(2, content: "b")])
        #expect(board.snapshots.map(\.acknowledged) == [2] && board.snapshots.map(\.state) == [.paused])
        #expect(board.resume(id))
        #expect(board.uploadControl.paused.isEmpty)
        #expect(board.startUpload(upload(2, content: "b")) != nil)
        board.endUpload(id, as: .finished)
        #expect(board.snapshots.map(\.acknowledged) == [20] && board.snapshots.map(\.state) == [.finished])
        _ = board.beginUploads([])
        #expect(board.snapshots.isEmpty)
    }

    @Test("What an upload hands over counts while it runs, from what the service has")
    func handedOver() throws {
        let id = upload(0).id
        var seen: [Int64] { board.snapshots.map(\.transferred) }
        _ = board.beginUploads([upload(3)])
        #expect(seen == [3])
        #expect(board.startUpload(upload(3)) != nil)
        #expect(seen == [3])
        board.note(id, sent: 12)
        #expect(seen == [12] && board.snapshots.map(\.acknowledged) == [3])
        // After a cut.
        board.note(id, acknowledged: 9, total: 20)
        board.note(id, sent: 9)
        #expect(seen == [9])
        board.note(id, sent: 20)
        #expect(board.pause(id))
        #expect(seen == [9])
        board.endUpload(id, as: .waiting)
        #expect(board.resume(id))
        // The service has forgotten some of it, and then takes the stream only whole.
        #expect(board.startUpload(upload(4)) != nil)
        #expect(seen == [4] && board.snapshots.map(\.acknowledged) == [9])
        #expect(board.sendWhole(id))
        #expect(seen == [0])
        board.endUpload(id, as: .finished)
        #expect(seen == [20])
    }

    @Test("What is cancelled once a run is expected is cancelled in it, and not in the next")
    func cancelledAtOnce() async throws {
        let id = upload(0).id
        _ = board.beginUploads([upload(0)])
        board.endUploads()
        board.expectRun()
        #expect(board.cancel(id))
        _ = board.beginUploads([upload(0)])
        #expect(board.uploadControl.cancelled == [id] && board.startUpload(upload(0)) == nil)
        board.endUploads()
        board.expectRun()
        _ = board.beginUploads([upload(0)])
        #expect(board.uploadControl.cancelled.isEmpty && board.startUpload(upload(0)) != nil)
        board.endUploads()

        let run = try Run([1: .init(bytes: bytes, faults: [.stall(after: 6)]), 2: .init(bytes: bytes)])
        let isPaused = Mutex(false)
        _ = try await download(
            [1, 2], in: run,
            progress: { [board, first = self.id(1)] progress in
                if progress.transferred == 6 { isPaused.withLock { $0 = board.pause(first) || $0 } }
            })
        #expect(isPaused.withLock { $0 })
        board.expectRun()
        #expect(board.cancel(self.id(1)))
        #expect(try await download([1], in: run) == ["1 cancelled"])
        board.expectRun()
        #expect(try await download([1], in: run) == ["1"])
    }

    @Test("What the app says of an upload holds though it fails at the same moment, unless all was sent")
    func stoppedAtItsEnd() {
        let id = upload(0).id
        let refusal = ODataError(.forbidden, "no")
        _ = board.beginUploads([upload(0)])
        #expect(board.startUpload(upload(0)) != nil)
        #expect(board.pause(id))
        board.endUpload(id, as: .failed, refusal)
        board.endUploads()
        #expect(board.snapshots.map(\.state) == [.paused] && board.uploadControl.paused == [id])
        #expect(board.snapshots.first?.error == nil)
        _ = board.beginUploads([upload(0)])
        #expect(board.startUpload(upload(0)) == nil)
        #expect(board.resume(id))
        #expect(board.startUpload(upload(0)) != nil)
        #expect(board.cancel(id))
        board.endUpload(id, as: .failed, refusal)
        #expect(board.snapshots.map(\.state) == [.cancelled])
        _ = board.beginUploads([upload(0)])
        #expect(board.startUpload(upload(0)) != nil)
        board.endUpload(id, as: .failed, refusal)
        #expect(board.snapshots.map(\.state) == [.failed] && board.snapshots.first?.error?.code == .forbidden)
        for end in [TransferSnapshot.State.finished, .cancelled] {
            _ = board.beginUploads([upload(0)])
            #expect(board.startUpload(upload(0)) != nil)
            #expect(board.pause(id))
            board.endUpload(id, as: end)
            #expect(board.snapshots.map(\.state) == [end])
        }
    }

    @Test("What is sent whole is not paused any more, but cancelled; another priority holds")
    func whole() throws {
        let id = upload(0).id
        _ = board.beginUploads([upload(0)])
        #expect(board.setPriority(-2, of: id) && board.uploadControl.priorities == [id: -2])
        #expect(board.startUpload(upload(0)) != nil)
        #expect(board.snapshots.map(\.canPause) == [true])
        #expect(board.sendWhole(id))
        #expect(board.snapshots.map(\.canPause) == [false])
        #expect(!board.pause(id))
        #expect(board.cancel(id))
        #expect(board.stoppedUpload(id)?.isWhole == true && board.uploadControl.cancelled == [id])
        board.endUpload(id, as: .waiting)
        #expect(board.snapshots.map(\.state) == [.cancelled])
        _ = board.beginUploads([upload(0)])
        #expect(board.snapshots.map(\.state) == [.waiting] && board.snapshots.map(\.priority) == [-2])
        #expect(board.uploadControl.cancelled.isEmpty)
        // One that was stopped before does not begin.
        #expect(board.startUpload(upload(0)) != nil)
        #expect(board.pause(id))
        #expect(board.resume(id))
        #expect(!board.sendWhole(id))
    }
}
