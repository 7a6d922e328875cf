import Foundation

// What the build plugin runs. People have `odata generate`, which reads URLs too.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || arguments.count == 3 else {
    complain("usage: odata-generate <metadata> <file.swift> [<settings.json>]")
    exit(2)
}
do {
    try DocumentGeneration(
        document: arguments[0], output: arguments[1], settings: arguments.count == 3 ? arguments[2] : nil
    ).run()
} catch {
    complain("\(error)")
    exit(1)
}
