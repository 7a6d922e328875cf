import ODataFormats
import ODataGrammar
import ODataQuery

enum URLFuzzing {
    private static let parser = QueryParser(model: FuzzModel.model)
    private static let parserV2 = QueryParser(model: FuzzModel.model, conventions: .legacy)
    private static let reader = GrammarReader()
    private static let readerV2 = GrammarReader(isLegacy: true)
    private static let header = GrammarReader(rule: "header")

    /// What is accepted is printed, and the print is accepted and printed as itself.
    static func parse(_ bytes: [UInt8], isV2: Bool) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let reading = try? (isV2 ? readerV2 : reader)?.read(text) {
            precondition(!reading.tree.isEmpty, "The tree of \(text) is empty.")
        }
        if isV2 { return rewriteV2(text) }
        guard case .query(let query)? = try? parser.resource(text) else { return }
        let printed = query.url
        guard case .query(let again)? = try? parser.resource(printed) else {
            preconditionFailure("\(printed), printed for \(text), is refused.")
        }
        precondition(again.url == printed, "\(printed), printed for \(text), is printed as \(again.url).")
    }

    private static func rewriteV2(_ text: String) {
        guard let query = try? parserV2.query(text), let printed = try? query.legacyURL() else { return }
        let again = try? parserV2.query(printed).legacyURL()
        precondition(again == printed, "\(printed), printed for \(text), is printed as \(again ?? "nothing").")
    }

    static func parseHeader(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? header?.read(text)
        _ = BatchFormat(contentType: text)
    }
}
