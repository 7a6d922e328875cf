import ArgumentParser
import Foundation
import OData

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Print an overview of a service's entity sets, keys, properties and relations.",
        discussion: "EXAMPLE: odata metadata http://127.0.0.1:8080/")

    @Argument(help: "The service root URL.")
    var service: String

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        try await connection.withTransport { transport in
            let store = try OnlineStore(serviceRoot: service, transport: transport)
            for set in try await store.model().entitySets { Console.write(overview(of: set)) }
        }
    }

    private func overview(of set: EntitySet) -> String {
        let type = set.type
        var lines = ["\(set.name)\(type.hasStream ? " (media)" : "")"]
        for property in type.properties {
            let key = type.key.contains(property.name) ? " key" : ""
            lines.append("    \(property.name): \(property.type)\(property.isNullable ? "?" : "")\(key)")
        }
        for navigation in type.navigationProperties {
            lines.append("    → \(navigation.name): \(navigation.target)\(navigation.isCollection ? "[]" : "")")
        }
        return lines.joined(separator: "\n")
    }
}
