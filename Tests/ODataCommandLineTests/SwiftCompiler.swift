import Foundation
import ToolSupport

/// The compiler of the toolchain, with the modules that were built with the tests.
enum SwiftCompiler {
    /// Compiles the Swift files of a folder as a module of their own, in the language mode 6, and keeps nothing.
    ///
    /// As far as canonical SIL, where it is known whether variables have values, functions return, and values stay in
    /// their isolation: a check of types alone does not see that.
    ///
    /// - Returns: Errors and warnings; empty where there are none.
    static func check(_ folder: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        let files = names.sorted().map { folder + "/" + $0 }
        let output = ["-emit-sil", "-whole-module-optimization", "-o", "/dev/null"]
        let options = ["-swift-version", "6", "-warnings-as-errors", "-module-name", "Generated"]
        return try run("swiftc", output + options + moduleOptions() + files)
    }

    /// `swift format lint --strict` with the rules of this package.
    static func lint(_ folder: String) throws -> String {
        let rules = package.appendingPathComponent(".swift-format").path
        return try run("swift", ["format", "lint", "--strict", "--recursive", "--configuration", rules, folder])
    }

    private static var package: URL {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }

    /// Where the modules of Swift are, and the module maps of those in C that they import.
    private static func moduleOptions() throws -> [String] {
        let products = URL(fileURLWithPath: try Tool.path()).deletingLastPathComponent()
        var build = products
        while build.path != "/", !exists(build.appendingPathComponent("checkouts")) { build.deleteLastPathComponent() }
        let checkouts = folders(in: build.appendingPathComponent("checkouts"))
        let sources = checkouts.flatMap { folders(in: $0.appendingPathComponent("Sources")) }
        let places = sources.flatMap { [$0, $0.appendingPathComponent("include")] } + folders(in: products)
        let own = ["CLibXML2", "CZlib"].map { package.appendingPathComponent("Sources/\($0)") }
        let maps = (places + own).map { $0.appendingPathComponent("module.modulemap") }.filter(exists)
        let headers = try run("pkg-config", ["--cflags", "libxml-2.0", "zlib"]).split(whereSeparator: \.isWhitespace)
        return ["-I", products.appendingPathComponent("Modules").path]
            + (maps.map { "-fmodule-map-file=\($0.path)" } + headers.map(String.init)).flatMap { ["-Xcc", $0] }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func folders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map(folder.appendingPathComponent)
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus != 0 && text.isEmpty ? "\(program) failed" : text
    }
}
