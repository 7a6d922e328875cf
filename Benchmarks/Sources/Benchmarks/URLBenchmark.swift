import ArgumentParser
import Foundation
import OData

/// Parsing and binding of URLs beside an empty request: the set alone.
struct URLBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "url")

    @Option(help: "How often each URL is read in a round.") var repetitions = 10_000
    @Option var rounds = 7

    private static let urls = [
        ("empty", "Orders"), ("small", "Orders?$filter=Amount gt 20"),
        (
            "typical",
            "Orders?$filter=Amount gt 100 and Status eq 'open' and contains(Name,'a') and Date ge 2024-01-01 "
                + "and Country ne null&$expand=Items($select=ID,Quantity;$filter=Quantity gt 2;$orderby=ID desc;$top=10)"
                + "&$orderby=Date desc,ID&$top=20&$count=true"
        ),
        (
            "encoded",
            "Orders?%24filter=Amount%20gt%20100%20and%20Status%20eq%20%27open%27%20and%20contains(Name%2C%27a%27)%20and"
                + "%20Date%20ge%202024-01-01%20and%20Country%20ne%20null&%24expand=Items(%24select%3DID%2CQuantity)"
        ),
    ]

    func run() async throws {
        let parser = QueryParser(model: try Self.model())
        print("microseconds of the processor for a URL, median of \(rounds) rounds of \(repetitions)")
        var empty: Double?
        for (name, url) in Self.urls {
            var times: [Double] = []
            for _ in 0..<rounds {
                let start = ProcessorTime.now
                for _ in 0..<repetitions { _ = try parser.query(url) }
                times.append((ProcessorTime.now - start) / Double(repetitions) * 1e6)
            }
            let time = times.sorted()[rounds / 2]
            empty = empty ?? time
            print(
                name.padding(toLength: 10, withPad: " ", startingAt: 0)
                    + String(format: "%8.2f µs, %5.1f × empty", time, time / (empty ?? time)))
        }
    }

    private static func model() throws -> EdmModel {
        let order = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Order"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32), EdmProperty(name: "Amount", type: .decimal),
                EdmProperty(name: "Status", type: .string), EdmProperty(name: "Name", type: .string),
                EdmProperty(name: "Date", type: .primitive(.date)), EdmProperty(name: "Country", type: .string),
            ],
            navigationProperties: [
                EdmNavigationProperty(name: "Items", target: EdmQualifiedName("Shop.Item"), isCollection: true)
            ])
        let item = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Item"), key: ["ID"],
            properties: [EdmProperty(name: "ID", type: .int32), EdmProperty(name: "Quantity", type: .int32)])
        let schema = EdmSchema(
            namespace: "Shop", types: [order, item], container: "Container",
            entitySets: [
                EdmEntitySetDeclaration(name: "Orders", type: order.name, bindings: ["Items": "Items"]),
                EdmEntitySetDeclaration(name: "Items", type: item.name),
            ])
        return try EdmModel(schemas: [schema])
    }
}
