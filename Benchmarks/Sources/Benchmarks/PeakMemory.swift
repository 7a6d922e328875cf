import Foundation

/// The high water mark of a process's resident size, where the system tells: on Linux.
enum PeakMemory {
    /// In MB; 0 where the system does not tell.
    static func megabytes(of process: String = "self") -> Int { kilobytes("VmHWM:", of: process) / 1024 }

    /// What the process holds now, in KB; 0 where the system does not tell.
    static func resident(of process: String) -> Int { kilobytes("VmRSS:", of: process) }

    private static func kilobytes(_ name: String, of process: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Lets the mark of this process begin at what it holds now, which is returned in MB.
    static func reset() -> Int {
        let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        try? file?.write(contentsOf: Data("5".utf8))
        return megabytes()
    }
}
