#if canImport(XcodeProjectPlugin)
    import Foundation
    import PackagePlugin
    import XcodeProjectPlugin

    extension ODataGenerator: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let files = TargetFiles(target.inputFiles.map(\.url), in: context.xcodeProject.directoryURL)
            return files.commands(
                tool: try context.tool(named: "odata-generate").url, folder: context.pluginWorkDirectoryURL)
        }
    }
#endif
