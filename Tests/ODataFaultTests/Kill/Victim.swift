import Foundation
import ToolSupport

/// The process that is to be killed; who wants to kill it before it is known waits for it.
actor Victim {
    private var process: RunningTool?
    private var waiting: [CheckedContinuation<RunningTool, Never>] = []

    func launch(_ arguments: [String]) throws -> RunningTool {
        let process = try RunningTool(arguments)
        self.process = process
        for continuation in waiting { continuation.resume(returning: process) }
        waiting = []
        return process
    }

    func kill() async { await running().send(SIGKILL) }

    private func running() async -> RunningTool {
        if let process { return process }
        return await withCheckedContinuation { waiting.append($0) }
    }
}
