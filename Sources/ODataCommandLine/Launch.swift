import ArgumentParser
import EncryptionKeys
import Foundation
import OData

extension ODataCommand {
    /// Parses the arguments, runs the command and ends the process with its exit status.
    public static func launch() async -> Never {
        guard areArgumentsText else {
            Console.error("An argument is not UTF-8 text.")
            Foundation.exit(2)
        }
        // A closed pipe is an error of the write, and does not end the process before its cleanup.
        signal(SIGPIPE, SIG_IGN)
        Foundation.exit(await run(arguments: Array(CommandLine.arguments.dropFirst())))
    }

    /// Whether all arguments are UTF-8: Swift replaces other bytes by U+FFFD, which would be stored.
    private static var areArgumentsText: Bool {
        (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
        }
    }

    /// Runs the command that `arguments` name and gives the exit status: 0, 1, 2 or 3.
    package static func run(arguments: [String]) async -> Int32 {
        let status = await perform(arguments)
        do { try Console.checkOutput() } catch let failure as OutputFailure where failure.isClosedPipe {
            return status
        } catch {
            Console.error("\(error)")
            return 1
        }
        return status
    }

    private static func perform(_ arguments: [String]) async -> Int32 {
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch is OutputFailure {
            // It is reported at the end.
            return 0
        } catch {
            return report(error, arguments)
        }
    }

    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        if let partial = error as? PartialSuccess {
            Console.message(partial.message, isNeeded: true)
            return 3
        }
        let status = exitCode(for: error)
        if status == .success {
            if let mistake = CommandPath.mistake(inHelpOf: arguments) {
                Console.error(mistake)
                return 2
            }
            Console.write(CompletionScript(self).improved(fullMessage(for: error)))
            return 0
        }
        if status == .validationFailure {
            Console.error(usage(error, arguments))
            return 2
        }
        Console.error(([describe(error)] + [Advice.line(for: error)].compactMap { $0 }).joined(separator: "\n"))
        return 1
    }

    /// The error in the arguments, and the command that prints the help.
    private static func usage(_ error: any Error, _ arguments: [String]) -> String {
        let (path, message) = (CommandPath(arguments), message(for: error))
        let isUnexpected = message.lowercased().contains("unexpected argument")
        let mistake = isUnexpected && path.meant != nil ? path.mistake : nil
        return "\(mistake ?? message)\n\(path.help)"
    }

    /// Errors of Foundation print themselves as a person cannot read them; a service may send any number of lines.
    private static func describe(_ error: any Error) -> String {
        switch error {
        case is DecodingError: return error.localizedDescription
        case let error as CocoaError:
            let path = error.filePath ?? error.url?.path
            return "\(path.map { "\($0): " } ?? "")\(error.fileReason)."
        case let error as ODataError: return describe(error)
        case let error as TransportError: return error.message.brief
        default: return "\(error)"
        }
    }
}

extension ODataCommand {
    /// A line, or one for each defining query that failed.
    private static func describe(_ error: ODataError) -> String {
        var error = error
        guard error.facts.queryErrors.isEmpty else {
            let lines = error.facts.queryErrors.map { "  \($0.query): \($0.message.brief)" }
            return (["\(lines.count) defining queries could not be downloaded:"] + lines).joined(separator: "\n")
        }
        error.message = error.message.brief
        return error.summary
    }
}

/// The command succeeded in part, and has listed what failed. Exit status 3.
struct PartialSuccess: Error {
    var message: String
}

/// A failure with its own words. Exit status 1.
struct Failure: Error, CustomStringConvertible {
    var description: String

    /// - Parameter advice: What to do, in a line of its own.
    init(_ description: String, advice: String? = nil) {
        self.description = ([description] + [advice].compactMap { $0 }).joined(separator: "\n")
    }
}
