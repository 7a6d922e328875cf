import ArgumentParser
import Foundation
import ODataGrammar
import ODataMetadata
import ODataModel
import ODataQuery

struct URLParseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse",
        abstract: "Read URLs, or parts of them, and say how they are understood.",
        discussion: """
            Each line of standard input is one text, or a JSON string that holds it; for each a line of JSON is \
            written: {"accepted":true,"canonical":"…","tree":…} or \
            {"accepted":false,"position":0,"found":"…","expected":"…"}, the position in Unicode scalars from 0. On a \
            terminal the JSON has indented lines, and a text that is refused is shown with a mark below the position.

            EXAMPLE:
              echo 'Products?$filter=Price gt 20&$top=5' |
                odata url parse --metadata service.edmx
            """)

    @Option(help: "A metadata document: names and types are checked.", completion: .file())
    var metadata: String?
    @Option(
        help: "A JSON file with lists of names, {\"Constraints\":{\"entitySetName\":[…],…}}: names are checked.",
        completion: .file())
    var constraints: String?
    @Option(help: "The rule of the OASIS grammar that each line is; rules of single characters have no reading.")
    var rule = "odataRelativeUri"
    @Flag(help: "The lines follow the conventions of V2.")
    var v2 = false

    func run() async throws {
        let names = try constraints.map { try NameLists(file: $0).names }
        let model = try metadata.map { try CSDL.read(xml: [UInt8](Data(named: $0))).model }
        guard let reader = GrammarReader(rule: rule, names: names, model: model, isStrict: names != nil, isLegacy: v2)
        else {
            throw ValidationError("The grammar has no rule '\(rule)'.")
        }
        while let line = readLine() {
            guard Terminal.output.isTerminal else {
                Console.write(reader.result(line: line))
                continue
            }
            show(line, reader)
        }
    }

    /// For a person.
    private func show(_ line: String, _ reader: GrammarReader) {
        let text = reader.text(ofLine: line)
        do throws(QueryError) {
            _ = try reader.read(text)
            JSONOutput.print(Array(reader.result(line: line).utf8))
        } catch {
            Console.write(URLMistake(text: text, error: error).explanation)
        }
    }
}

/// The lists of names of a file of grammar test cases.
private struct NameLists: Decodable {
    var constraints: [String: [String]]

    enum CodingKeys: String, CodingKey {
        case constraints = "Constraints"
    }

    init(file: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(named: file))
    }

    var names: NameConstraints { NameConstraints(constraints) }
}
