import Foundation
import PackagePlugin

/// Writes Swift for the metadata documents of a target when it is built: each `*.edmx`, `*.csdl` and `*metadata.xml` in
/// it, and in JSON each `*.csdl.json` and `*metadata.json`.
///
/// Each document gives one file, which the build knows beforehand, so that the tool runs only when the document or the
/// settings (`odata-generator.json`) have changed.
@main
struct ODataGenerator: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files = TargetFiles(target.sourceFiles.map(\.url), in: target.directoryURL)
        return files.commands(
            tool: try context.tool(named: "odata-generate").url, folder: context.pluginWorkDirectoryURL)
    }
}
