import ArgumentParser
import Foundation
import ODataStores

extension ODataCommand {
    /// Parses the arguments, runs the command and ends the process with its exit status.
    public static func launch() async -> Never {
        Foundation.exit(await run(arguments: Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command that `arguments` name and gives the exit status: 0, 1, 2 or 3.
    package static func run(arguments: [String]) async -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            return report(error)
        }
    }

    private static func report(_ error: any Error) -> Int32 {
        if let partial = error as? PartialSuccess {
            Console.message(partial.message)
            return 3
        }
        let status = exitCode(for: error)
        if status == .success {
            Console.write(fullMessage(for: error))
            return 0
        }
        if status == .validationFailure {
            Console.message(fullMessage(for: error))
            return 2
        }
        Console.error("\(error)")
        return 1
    }
}

/// The command did a part of what it was asked; the rest is listed. Exit status 3.
struct PartialSuccess: Error {
    var message: String
}

/// A failure with its own words. Exit status 1.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
