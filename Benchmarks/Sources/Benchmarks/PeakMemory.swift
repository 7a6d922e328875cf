import Foundation

/// The high water mark of a process's resident size, where the system tells: on Linux.
enum PeakMemory {
    /// In MB; 0 where the system does not tell.
    static func megabytes(of process: String = "self") -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) / 1024
    }

    /// Lets the mark of this process begin at what it holds now, which is returned in MB.
    static func reset() -> Int {
        let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        try? file?.write(contentsOf: Data("5".utf8))
        return megabytes()
    }
}
