import ByteStreams
import EncryptionKeys
import Foundation
import ODataOffline
import ODataStores
import Testing

#if canImport(Glibc)
    @Suite("Thumbnails")
    struct ThumbnailTests {
        /// Gives the original as its own thumbnail.
        private static let copier = ThumbnailProgram(path: "/bin/cat", contentType: "image/x-same") { _ in [] }
        private static let absent = ThumbnailProgram(path: "/nonexistent/thumbnailer", contentType: "image/png") { _ in
            []
        }

        /// 40 by 20 pixels, as a portable pixmap.
        private static let image = Array("P6 40 20 255\n".utf8) + (0..<40 * 20 * 3).map { UInt8($0 % 251) }

        private func device(_ thumbnailer: ThumbnailProgram, quota: Int64? = nil) async throws -> Device {
            let service = try SampleService()
            let hex = Self.image.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            try service.execute("UPDATE Photos SET Image = x'\(hex)' WHERE PhotoID = 2")
            let device = try await Device(
                [StreamTests.photos], service: service,
                configure: { configuration in
                    configuration.thumbnailer = thumbnailer
                    configuration.mediaQuota = quota
                    // Streams come in the order of their keys.
                    configuration.parallelStreams = 1
                })
            try await device.store.download()
            return device
        }

        private func thumbnail(
            _ path: String, _ pixels: Int = 16, in store: OfflineStore
        ) async throws -> (bytes: [UInt8], type: String?) {
            let result = try await store.thumbnail(of: try store.path(path), fitting: pixels)
            return (try await result.content.collect(upTo: 1 << 20), result.contentType)
        }

        private func error(_ body: () async throws -> Void) async -> ODataError.Code? {
            do { try await body() } catch { return (error as? ODataError)?.code }
            return nil
        }

        @Test("What was made once is found again without the program, until the stream changes")
        func again() async throws {
            let device = try await device(Self.copier)
            for _ in 0..<2 {
                let found = try await thumbnail("Photos(2)", in: device.store)
                #expect(found.bytes == Self.image)
                #expect(found.type == "image/x-same")
            }
            try device.store.close()
            var configuration = Device.configuration()
            configuration.thumbnailer = Self.absent
            let store = try OfflineStore(
                folder: device.folder.path + "/store", remote: device.remote, configuration: configuration)
            try await store.open()
            #expect(try await thumbnail("Photos(2)/$value", in: store).bytes == Self.image)
            #expect(await error { _ = try await thumbnail("Photos(2)", 17, in: store) } == .notImplemented)
            #expect(await error { _ = try await thumbnail("Photos(1)", in: store) } == .notImplemented)
            try device.service.execute("UPDATE Photos SET Image = x'0102' WHERE PhotoID = 2")
            try await store.download()
            #expect(await error { _ = try await thumbnail("Photos(2)", in: store) } == .notImplemented)
            let derived = device.folder.path + "/store/media/derived"
            #expect(try FileManager.default.contentsOfDirectory(atPath: derived) == [])
        }

        @Test("They count for the quota, are never taken for unsent, and go before their streams, unsent ones too")
        func quota() async throws {
            let device = try await device(Self.copier, quota: 100_000)
            let store = device.store
            #expect(try await store.mediaUse == MediaUse(streams: 80_000 + Int64(Self.image.count)))
            #expect(try await thumbnail("Photos(4)", in: store).bytes.count == 40_000)
            // The first three, of 42,413 bytes, were not used since they came.
            let use = try await store.mediaUse
            #expect(use.streams == 40_000 && use.thumbnails > 40_000 && use.partialStreams == 0)
            #expect(try await store.status.streams == 1)
            let entries = try await store.streamEntries()
            #expect(entries.map(\.state) == [.evicted, .evicted, .evicted, .inStore])
            #expect(entries.map(\.thumbnailBytes) == [0, 0, 0, use.thumbnails])

            let content = MediaContent(ByteContent(Array(repeating: 9, count: 70_000)), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(1)"), .replaceStream(content)))
            #expect(try await store.mediaUse == MediaUse(streams: 70_000))
            // One that has no room is made, and not kept.
            #expect(try await thumbnail("Photos(1)", in: store).bytes.count == 70_000)
            #expect(try await store.mediaUse == MediaUse(streams: 70_000))
            #expect(try await store.streamEntries().first?.state == .unsent)
            #expect(try await store.upload().isComplete)
            #expect(try device.service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID = 1") == ["70000"])
            try store.close()
        }

        @Test("Many at a time are made one or two at a time, and all come")
        func parallel() async throws {
            let device = try await device(Self.copier)
            let found = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<24 {
                    group.addTask { try await thumbnail("Photos(2)", 16 + number % 6, in: device.store).bytes }
                }
                return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
            }
            #expect(found == Array(repeating: Self.image, count: 24))
        }

        @Test("An encrypted store keeps none of it readable")
        func encrypted() async throws {
            let service = try SampleService()
            try service.execute("UPDATE Photos SET Image = CAST('a plain picture' AS BLOB) WHERE PhotoID = 1")
            let folder = try TemporaryFolder()
            var configuration = Device.configuration()
            configuration.thumbnailer = Self.copier
            let store = try OfflineStore(
                folder: folder.path + "/store", remote: service.store, configuration: configuration,
                key: EncryptionKey.random())
            try await store.open()
            try store.addQuery(StreamTests.photos)
            try await store.download()
            for _ in 0..<2 {
                #expect(try await thumbnail("Photos(1)", in: store).bytes == Array("a plain picture".utf8))
            }
            let media = folder.path + "/store/media/"
            let names = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
            #expect(names.contains { $0.hasPrefix("derived/") })
            for name in names {
                guard let bytes = FileManager.default.contents(atPath: media + name) else { continue }
                #expect(bytes.range(of: Data("a plain picture".utf8)) == nil)
            }
            try store.close()
            #expect(try service.fetch("SELECT count(*) FROM Photos") == ["4"])
        }

        struct Refusal: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var program: ThumbnailProgram
            var path = "Photos(2)"
            var pixels = 16
            var code: ODataError.Code
        }

        private static func program(_ path: String, _ arguments: [String] = []) -> ThumbnailProgram {
            ThumbnailProgram(path: path, contentType: "image/png") { _ in arguments }
        }

        static var refusals: [Refusal] {
            var slow = program("/bin/sleep", ["600"])
            slow.timeLimit = .milliseconds(20)
            var careful = copier
            careful.limit = 100
            return [
                Refusal(
                    testDescription: "a program that fails", program: program("/bin/false"), code: .unsupportedMediaType
                ),
                Refusal(
                    testDescription: "one that writes nothing", program: program("/bin/true"),
                    code: .unsupportedMediaType),
                Refusal(testDescription: "one that never ends", program: slow, code: .unsupportedMediaType),
                Refusal(testDescription: "one that is not there", program: absent, code: .notImplemented),
                Refusal(testDescription: "too long an image", program: careful, code: .tooLarge),
                Refusal(testDescription: "no size", program: copier, pixels: 0, code: .badRequest),
                Refusal(testDescription: "a property", program: copier, path: "Photos(2)/Title", code: .badRequest),
                Refusal(testDescription: "no entity", program: copier, path: "Photos(9)", code: .notFound),
                Refusal(
                    testDescription: "a stream of the app's that is not here", program: copier, path: "Photos(3)",
                    code: .mediaNotInStore),
            ]
        }

        @Test("What cannot be made is an error that says why", arguments: refusals)
        func refusal(_ refusal: Refusal) async throws {
            let device = try await device(refusal.program)
            if refusal.code == .mediaNotInStore {
                try device.store.removeQuery(StreamTests.photos.name)
                try device.store.addQuery(DefiningQuery(name: "rows", query: "Photos"))
                try await device.store.download()
            }
            let code = await error { _ = try await thumbnail(refusal.path, refusal.pixels, in: device.store) }
            #expect(code == refusal.code)
        }

        @Test(
            "The program of the system makes small ones",
            .enabled(if: ThumbnailProgram.installed != nil, "Neither vipsthumbnail nor gdk-pixbuf-thumbnailer is here.")
        )
        func real() async throws {
            let device = try await device(try #require(ThumbnailProgram.installed))
            let small = try await thumbnail("Photos(2)", in: device.store)
            #expect(small.type == "image/png")
            #expect(small.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // The width and the height in the header of a PNG.
            #expect(Array(small.bytes.dropFirst(16).prefix(8)) == [0, 0, 0, 16, 0, 0, 0, 8])
            #expect(await error { _ = try await thumbnail("Photos(1)", in: device.store) } == .unsupportedMediaType)
        }
    }
#endif
