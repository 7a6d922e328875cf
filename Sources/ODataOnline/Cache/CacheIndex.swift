/// The files of a cache, and which of them was not used for the longest time; each operation takes the same time however
/// many they are.
struct CacheIndex {
    private var files: [String: CacheFile] = [:]
    private var keys: [String: Set<String>] = [:]
    /// Keys in the order of their uses. Only the last use of a file counts: the others are removed from time to time.
    private var order: [(key: String, use: Int)] = []
    /// Where the order begins.
    private var first = 0
    private var uses = 0
    /// Of all files.
    private(set) var bytes: Int64 = 0

    /// The file, which is the one used last from now on.
    mutating func use(_ key: String) -> CacheFile? {
        guard files[key] != nil else { return nil }
        uses += 1
        files[key]?.use = uses
        order.append((key, uses))
        if order.count > 2 * files.count + 64 { forgetEarlierUses() }
        return files[key]
    }

    private mutating func forgetEarlierUses() {
        order = order[first...].filter { isLast($0) }
        first = 0
    }

    private func isLast(_ entry: (key: String, use: Int)) -> Bool { files[entry.key]?.use == entry.use }

    /// Adds a file in the place of the one that has the key.
    mutating func add(_ file: CacheFile, key: String) {
        if files[key]?.path == file.path { forget(key) } else { remove(key) }
        files[key] = file
        keys[file.url, default: []].insert(key)
        bytes += file.size
        _ = use(key)
    }

    /// Removes the files that were not used for the longest time until the others have no more than `maxBytes`.
    mutating func shrink(to maxBytes: Int64) {
        while bytes > maxBytes, first < order.count {
            let oldest = order[first]
            first += 1
            if isLast(oldest) { remove(oldest.key) }
        }
    }

    mutating func remove(_ key: String) { forget(key)?.remove() }

    mutating func remove(url: String) {
        for key in keys[url] ?? [] { remove(key) }
    }

    mutating func removeAll() {
        for file in files.values { file.remove() }
        self = CacheIndex()
    }

    @discardableResult
    private mutating func forget(_ key: String) -> CacheFile? {
        guard let file = files.removeValue(forKey: key) else { return nil }
        keys[file.url]?.remove(key)
        if keys[file.url]?.isEmpty == true { keys[file.url] = nil }
        bytes -= file.size
        return file
    }
}
