#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension MediaFolder {
    /// Opens the partial stream with this name, or begins one. Names are free: `Photos(1)/$value`.
    ///
    /// - Parameter start: The offset of a part that is downloaded beside the beginning; nil for the beginning.
    /// - Throws: ``MediaFileError`` with code `busy` while it is open already.
    package func partial(named name: String, part start: Int64? = nil) throws -> PartialMedia {
        try PartialMedia(name: name, part: start, folder: self)
    }

    /// Where the parts of a partial stream begin that come beside its beginning, in order.
    package func parts(named name: String) throws -> [Int64] {
        let prefix = partialName(for: name) + "."
        return try Directory.names(in: partials)
            .compactMap { $0.hasPrefix(prefix) ? Int64($0.dropFirst(prefix.count)) : nil }
            .sorted()
    }

    /// Whether bytes of the stream with this name were received.
    package func hasPartial(named name: String) -> Bool {
        Directory.fileLength("\(partials)/\(partialName(for: name))") != nil
    }

    /// Removes this user's folder of partial streams if nothing is in it.
    package func leaveNoPartials() { _ = rmdir(partials) }

    /// What the files of a partial stream are called.
    package func partialName(for name: String) -> String { fileName(for: MediaHasher.digest(of: name)) }

    /// The bytes on the device of each partial stream of this user, with its parts, by ``partialName(for:)``.
    package var partialLengths: [String: Int64] { get throws { try partialLengths(in: partials) } }

    /// The bytes on the device of all partial streams, whichever user of the folder they come for.
    package var partialBytes: Int64 {
        get throws {
            try Directory.names(in: path).filter { $0 == Self.partialFolder || $0.hasPrefix("\(Self.partialFolder)-") }
                .reduce(0) { try partialLengths(in: "\(path)/\($1)").values.reduce($0, +) }
        }
    }

    private func partialLengths(in folder: String) throws -> [String: Int64] {
        var lengths: [String: Int64] = [:]
        for file in try Directory.names(in: folder) where !file.hasSuffix(".json") {
            lengths[String(file.prefix(64)), default: 0] += Directory.fileLength("\(folder)/\(file)") ?? 0
        }
        return lengths
    }

    /// Whether this user has something of partial streams here.
    package var holdsPartials: Bool { get throws { try !Directory.names(in: partials).isEmpty } }

    /// Removes all partial streams but the named ones, which may be continued later; says how many. To be called while none
    /// is open.
    @discardableResult
    package func discardPartials(except names: Set<String> = []) throws -> Int {
        let kept = Set(names.map(partialName(for:)))
        var removed = 0
        for file in try Directory.names(in: partials) {
            let name = String(file.prefix(64))
            guard !kept.contains(name) else { continue }
            try Directory.remove("\(partials)/\(file)")
            removed += file == name ? 1 : 0
        }
        return removed
    }
}
