#if canImport(Glibc)
    import ByteStreams
    import Foundation
    import Glibc
    import ODataStores

    /// Thumbnails by a program of the system, in a process of its own: what a damaged image does to it ends there.
    ///
    /// The program reads the image from its standard input and writes the thumbnail to its standard output. Both are
    /// files without a name, which no other process can open and which are removed with the processes that have them.
    public struct ThumbnailProgram: ThumbnailMaker {
        /// Where it is.
        public var path: String
        /// What it is called with, for the length of the square's sides in pixels.
        public var arguments: @Sendable (Int) -> [String]
        /// Of what it writes.
        public var contentType: String
        /// How long it may take before it is ended.
        public var timeLimit = Duration.seconds(30)
        /// Longer images are refused, in bytes.
        public var limit: Int64 = 1 << 30

        /// A program with the limits above. Whether it is there shows when it is first run.
        public init(path: String, contentType: String, arguments: @escaping @Sendable (Int) -> [String]) {
            self.path = path
            self.contentType = contentType
            self.arguments = arguments
        }

        /// `vipsthumbnail` of libvips 8.10 or later: PNG, never larger than the image.
        public static func vips(path: String = "/usr/bin/vipsthumbnail") -> Self {
            Self(path: path, contentType: "image/png") { ["stdin", "--size", "\($0)x\($0)>", "-o", ".png"] }
        }

        /// `gdk-pixbuf-thumbnailer` of GDK-PixBuf: PNG; a smaller image is made larger.
        public static func pixbuf(path: String = "/usr/bin/gdk-pixbuf-thumbnailer") -> Self {
            Self(path: path, contentType: "image/png") { ["-s", "\($0)", "/dev/stdin", "/dev/stdout"] }
        }

        /// The first of these two that is there; nil if neither is.
        public static var installed: Self? {
            [vips(), pixbuf()].first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        public func thumbnail(of content: ByteContent, fitting pixels: Int) async throws -> ThumbnailImage {
            let (input, output) = (try Self.namelessFile(), try Self.namelessFile())
            try await copy(content, to: input)
            guard try await run(arguments(pixels), input, output) == 0 else { throw ODataError.noImage }
            let bytes = try Self.storing { () -> Data in
                try output.seek(toOffset: 0)
                return try output.read(upToCount: Self.resultLimit + 1) ?? Data()
            }
            guard !bytes.isEmpty, bytes.count <= Self.resultLimit else { throw ODataError.noImage }
            return ThumbnailImage(bytes: Array(bytes), contentType: contentType)
        }

        private static let resultLimit = 16 << 20

        private func copy(_ content: ByteContent, to file: FileHandle) async throws {
            let tooLarge = ODataError(.tooLarge, "No thumbnails are made of more than \(limit) bytes.")
            if let length = content.length, length > limit { throw tooLarge }
            var length: Int64 = 0
            for try await chunk in try content.chunks() {
                try Task.checkCancellation()
                length += Int64(chunk.count)
                guard length <= limit else { throw tooLarge }
                try Self.storing { try file.write(contentsOf: chunk) }
            }
            try Self.storing { try file.seek(toOffset: 0) }
        }

        /// The status it ended with, or another one than 0 if it was ended.
        private func run(_ arguments: [String], _ input: FileHandle, _ output: FileHandle) async throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            // What the app's environment holds must not be visible to a program that reads images from other sources.
            process.environment = ["LC_ALL": "C.UTF-8"]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let (ends, end) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = { process in
                end.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
                end.finish()
            }
            do { try process.run() } catch {
                throw ODataError(.notImplemented, "\(path), which makes thumbnails, cannot be run.", cause: error)
            }
            if let status = await first(of: ends) { return status }
            kill(process.processIdentifier, SIGKILL)
            try Task.checkCancellation()
            throw ODataError(.unsupportedMediaType, "No thumbnail was made within \(timeLimit).")
        }

        /// Nil if the time is over before, or the task is cancelled.
        private func first(of ends: AsyncStream<Int32>) async -> Int32? {
            await withTaskGroup(of: Int32?.self) { [timeLimit] group in
                group.addTask {
                    for await status in ends { return status }
                    return nil
                }
                group.addTask {
                    try? await Task.sleep(for: timeLimit)
                    return nil
                }
                let status = await group.next()
                group.cancelAll()
                return status ?? nil
            }
        }

        private static func namelessFile() throws -> FileHandle {
            let name = NSTemporaryDirectory() + "/thumbnail-\(UUID().uuidString)"
            let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0, unlink(name) == 0 else {
                throw ODataError(.storage, "No thumbnail can be made: \(String(cString: strerror(errno))).")
            }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        private static func storing<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch {
                throw ODataError(.storage, "The files for a thumbnail cannot be used: \(error)", cause: error)
            }
        }
    }
#endif
