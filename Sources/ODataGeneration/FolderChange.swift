import Foundation

/// Files that are written to a folder and files that go from it: all of them or none.
///
/// New files are first written beside the folder's files, with copies of those that they replace. Then each file is
/// exchanged in one step of the file system; if one cannot be, those before it are put back.
struct FolderChange {
    private let folder: URL
    /// Inside the folder, so that it is on the same volume; hidden from builds by its name.
    private let staging: URL
    /// Names of files that have been exchanged.
    private var done: [String] = []

    /// Does it all.
    ///
    /// - Parameters:
    ///   - folder: It is created if it is missing, and removed again if the change fails.
    ///   - files: What is written.
    ///   - removed: The names of files that go.
    /// - Throws: ``GenerationError`` naming the file and the reason; the folder is as it was then.
    static func apply(_ files: [GeneratedFile], removing removed: [String], in folder: URL) throws(GenerationError) {
        let missing = outermostMissing(of: folder)
        var change = FolderChange(folder: folder)
        do {
            try change.prepare(files, removed)
            try change.carryOut(files, removed)
            change.clear()
        } catch {
            change.undo()
            change.clear()
            if let missing { try? FileManager.default.removeItem(at: missing) }
            throw error
        }
    }

    private init(folder: URL) {
        self.folder = folder
        staging = folder.appendingPathComponent(".odata-generate-\(UUID().uuidString)", isDirectory: true)
    }

    /// The outermost folder of the path that is not there; nil if all are.
    private static func outermostMissing(of folder: URL) -> URL? {
        var (missing, next): (URL?, URL) = (nil, folder.standardizedFileURL)
        while next.path != "/", !FileManager.default.fileExists(atPath: next.path) {
            missing = next
            next = next.deletingLastPathComponent()
        }
        return missing
    }

    private func new(_ name: String) -> URL { staging.appendingPathComponent("new/\(name)") }

    private func old(_ name: String) -> URL { staging.appendingPathComponent("old/\(name)") }

    private func prepare(_ files: [GeneratedFile], _ removed: [String]) throws(GenerationError) {
        let manager = FileManager.default
        for url in [folder, staging, new(""), old("")] where !Self.make(url) {
            let reason = String(cString: strerror(errno))
            throw GenerationError(message: "The folder \(folder.path) cannot be written: \(reason).")
        }
        for file in files {
            try Self.attempt("\(folder.path)/\(file.name) cannot be written") {
                try Data(file.text.utf8).write(to: new(file.name))
            }
        }
        for name in files.map(\.name) + removed {
            let url = folder.appendingPathComponent(name)
            guard manager.fileExists(atPath: url.path) else { continue }
            try Self.attempt("\(url.path) cannot be replaced") { try manager.copyItem(at: url, to: old(name)) }
        }
    }

    /// Makes a folder with those around it. Foundation does not report why one cannot be made.
    ///
    /// - Returns: False sets `errno`.
    private static func make(_ url: URL) -> Bool {
        if mkdir(url.path, 0o777) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, url.path != "/", make(url.deletingLastPathComponent()) else { return false }
        return mkdir(url.path, 0o777) == 0
    }

    private mutating func carryOut(_ files: [GeneratedFile], _ removed: [String]) throws(GenerationError) {
        for name in files.map(\.name) {
            let source = new(name).path
            try exchange("written", name) { rename(source, $0) }
        }
        for name in removed { try exchange("removed", name) { unlink($0) } }
    }

    /// - Parameter step: Gives 0 or sets `errno`.
    private mutating func exchange(_ what: String, _ name: String, _ step: (String) -> Int32) throws(GenerationError) {
        let path = folder.appendingPathComponent(name).path
        guard step(path) == 0 else {
            throw GenerationError(message: "\(path) cannot be \(what): \(String(cString: strerror(errno))).")
        }
        done.append(name)
    }

    private func undo() {
        for name in done.reversed() {
            let path = folder.appendingPathComponent(name).path
            if FileManager.default.fileExists(atPath: old(name).path) {
                _ = rename(old(name).path, path)
            } else {
                unlink(path)
            }
        }
    }

    private func clear() { try? FileManager.default.removeItem(at: staging) }

    private static func attempt(_ failure: String, _ step: () throws -> Void) throws(GenerationError) {
        do { try step() } catch {
            let reason = error.localizedDescription
            throw GenerationError(message: "\(failure): \(reason)\(reason.hasSuffix(".") ? "" : ".")")
        }
    }
}
