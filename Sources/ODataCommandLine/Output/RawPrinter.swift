import OData

/// Prints what `/$value` and stream properties stand for: the bytes of a stream, a value as text or bytes.
///
/// [OData-Protocol, sections 11.2.3 and 11.2.4.1]
struct RawPrinter {
    let store: any ODataStore

    /// Whether a path stands for that.
    static func isMeant(by path: ResourcePath) -> Bool {
        if case .stream = path.target { return path.suffix == nil || path.suffix == .value }
        return path.suffix == .value
    }

    func print(_ path: ResourcePath) async throws {
        switch path.target {
        case .entity, .stream: try await printStream(path)
        case .property, .value, .collection, .nothing: try await printValue(path.resource)
        }
        Console.endLine()
    }

    private func printStream(_ path: ResourcePath) async throws {
        let handle = store.stream(StreamRequest(path))
        let bar = Terminal.output.isTerminal ? nil : ProgressBar()
        defer { bar?.finish() }
        var (sum, isFirst): (Int64, Bool) = (0, true)
        do {
            for try await chunk in try handle.chunks() {
                guard !isFirst || ByteOutput.fitsTerminal(chunk) else { return await tellBinary(handle) }
                isFirst = false
                Console.write(bytes: chunk)
                try Console.checkOutput()
                sum += Int64(chunk.count)
                bar?.show(sum, of: nil)
            }
        } catch let error as ODataError where error.code == .notFound {
            guard await isNull(handle) else { throw error }
            Console.notice(error.message)
        }
    }

    private func isNull(_ handle: StreamHandle) async -> Bool {
        for await event in handle.events {
            if case .cacheResponse(let response) = event, response.isNull { return true }
            if case .serverResponse(let response) = event, response.isNull { return true }
        }
        return false
    }

    /// The stream cannot be shown.
    private func tellBinary(_ handle: StreamHandle) async {
        for await event in handle.events {
            switch event {
            case .cacheResponse(let response), .serverResponse(let response):
                return ByteOutput.tellBinary(
                    response.totalLength, response.contentType ?? "", advice: "add > file")
            default: continue
            }
        }
    }

    private func printValue(_ path: ResourcePath) async throws {
        switch path.valueType {
        case .primitive(let type)? where type != .untyped: try await printValue(path, .primitive(type))
        case .enumeration(let name)?: try await printValue(path, .enumeration(name))
        default: throw Failure("\(path.url) has no raw value: ask for it without /$value.")
        }
    }

    private func printValue(_ path: ResourcePath, _ type: EdmTypeReference) async throws {
        guard case .value(let value, _) = try await store.read(ReadRequest(BoundQuery(path: path))).body, !value.isNull
        else { return Console.notice("\(path.url) is null: it has no raw value.") }
        guard case .binary(let bytes) = value else {
            return Console.write(bytes: Array((value.wellKnownText(type) ?? value.lexical).utf8))
        }
        guard ByteOutput.fitsTerminal(bytes) else {
            return ByteOutput.tellBinary(Int64(bytes.count), "", advice: "add > file")
        }
        Console.write(bytes: bytes)
    }
}
