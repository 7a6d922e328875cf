import Testing
import ToolSupport

/// What is written of metadata that need no published data: of tables with streams, and of a declared model with
/// inheritance, complex types, flags and operations, both in V4 and as V2.
@Suite("Generated code of the samples")
struct GeneratedSampleTests {
    @Test(arguments: ["field-service", "compliance"], ["", "v2/"])
    func isFormattedAndCompilesWithoutWarnings(sample: String, version: String) async throws {
        let scratch = try Scratch()
        let folder = scratch.folder + "/Generated"
        let served = try ServedSample(scratch.folder + "/sample.db", ["--sample", sample])
        let output = try await Tool.run("generate", served.root + version, "--output", folder, "--access", "public")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(await served.stop().status == 0)
        #expect(try SwiftCompiler.lint(folder) == "")
        #expect(try SwiftCompiler.check(folder) == "")
    }
}
