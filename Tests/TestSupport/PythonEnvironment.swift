import Foundation

/// A Python 3 with packages from PyPI, in a virtual environment that is kept in a private folder of the user's caches.
package struct PythonEnvironment: Sendable {
    private struct Fault: Error {
        var message: String
    }

    /// The environment's Python; nil if there is none.
    package let python: String?
    /// What reports say of tests that it is missing for.
    package let absence: String
    /// Whether tests that need it run. Where it could not be made they are skipped, but in continuous integration,
    /// which has Python and a network, they run and fail.
    package let isWanted: Bool

    /// Makes the environment, or uses the one that an earlier run made.
    ///
    /// - Parameters:
    ///   - packages: As pip names them, with versions: `pyslet==0.7`.
    ///   - modules: What is imported to see that they are there.
    package init(_ packages: [String], importing modules: String) {
        let isContinuous = ["1", "true"].contains(ProcessInfo.processInfo.environment["CI"] ?? "")
        do {
            python = try Self.make(packages, modules, attempts: isContinuous ? 3 : 1)
            absence = ""
            isWanted = true
        } catch {
            python = nil
            absence = "\(isContinuous ? "" : "skipped: ")\(error.message)"
            isWanted = isContinuous
        }
    }

    private static func make(_ packages: [String], _ modules: String, attempts: Int) throws(Fault) -> String {
        let name = packages.joined(separator: "-").replacing("==", with: "-")
        let folder = try privateFolder().appendingPathComponent(name)
        let python = folder.appendingPathComponent("bin/python3").path
        // Another process of the tests may be making it.
        let lock = open(folder.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw Fault(message: "\(folder.path).lock cannot be locked") }
        if run([python, "-c", "import \(modules)"]).status == 0 { return python }
        guard run(["/usr/bin/env", "python3", "-m", "venv", "--clear", folder.path]).status == 0 else {
            throw Fault(message: "there is no Python 3 with venv: install python3 and python3-venv")
        }
        var output = ""
        for _ in 0..<attempts {
            let retries = attempts > 1 ? "5" : "1"
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", retries]
            output = run([python] + install + packages).output
            if run([python, "-c", "import \(modules)"]).status == 0 { return python }
        }
        throw Fault(
            message: "\(packages.joined(separator: " ")) could not be installed from PyPI: \(output.suffix(500))")
    }

    /// `odata-tests` among the user's caches: nobody else may put a program there.
    private static func privateFolder() throws(Fault) -> URL {
        let manager = FileManager.default
        guard let caches = manager.urls(for: .cachesDirectory, in: .userDomainMask).first,
            (try? manager.createDirectory(at: caches, withIntermediateDirectories: true)) != nil
        else { throw Fault(message: "there is no folder for the user's caches") }
        let folder = caches.appendingPathComponent("odata-tests")
        _ = mkdir(folder.path, 0o700)
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            chmod(folder.path, 0o700) == 0
        else { throw Fault(message: "\(folder.path) is not a folder of this user's own") }
        return folder
    }

    /// Runs a command to its end; gives what it wrote, errors too.
    package static func run(_ command: [String]) -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: command.first ?? "")
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return (-1, "\(command) cannot be started.") }
        let bytes = (try? output.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes ?? Data(), as: UTF8.self))
    }
}
