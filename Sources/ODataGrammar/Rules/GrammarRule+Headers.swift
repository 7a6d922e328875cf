import ODataQuery

/// Rules of headers, and of URLs inside them.
///
/// [OData-ABNF, section 8 and appendix A]
extension GrammarRule {
    static let headerRules: [String: Form] = {
        var rules: [String: Form] = [
            "request-id": text { _ = try $0.requestID() },
            "preference": .plain { .preferences([try $0.preference()]) },
            "annotationsList": text { try $0.annotationsList() },
            "annotationIdentifier": text { try $0.annotationIdentifier() },
            "URI": text { try $0.uri() },
            "host": text { try $0.host() },
            "reg-name": text { _ = try $0.uriText(0...Int.max, "") },
            "pchar": text { _ = try $0.uriText(1...1, ":@") },
            "segment": text { _ = try $0.uriText(0...Int.max, ":@") },
            "segment-nz": text { _ = try $0.uriText(1...Int.max, ":@") },
            "customValue": text { try $0.customValue() },
            "IPv4address": text { try $0.address("an address such as 127.0.0.1", InternetAddress.isIPv4) },
            "IPv6address": text { try $0.address("an address such as 2001:db8::1", InternetAddress.isIPv6) },
            "IPvFuture": text { try $0.address("an address such as v7.0", InternetAddress.isFuture) },
            "serviceRoot": .plain { parser in
                let root = parser.source.string(0..<parser.end)
                let starts = try ServiceRootSyntax(of: root).starts
                guard starts.last == parser.end else { throw parser.invalid("'/' at the end", at: parser.end) }
                parser.offset = parser.end
                return .text(root)
            },
        ]
        let headers = [
            "header", "asyncresult", "content-id", "isolation", "odata-entityid", "odata-error", "odata-maxversion",
            "odata-version", "prefer",
        ]
        for name in headers { rules[name] = .plain { .header(try $0.header(named: name)) } }
        for (rule, name) in preferenceRules { rules[rule] = .plain { .preferences([try $0.preference(named: name)]) } }
        return rules
    }()

    private static let preferenceRules = [
        "allowEntityReferencesPreference": "allow-entityreferences", "callbackPreference": "callback",
        "continueOnErrorPreference": "continue-on-error", "includeAnnotationsPreference": "include-annotations",
        "maxpagesizePreference": "maxpagesize", "omitValuesPreference": "omit-values",
        "respondAsyncPreference": "respond-async", "returnPreference": "return",
        "trackChangesPreference": "track-changes", "waitPreference": "wait",
    ]

    private static func text(_ read: @escaping @Sendable (inout SyntaxParser) throws -> Void) -> Form {
        .plain { parser in
            let start = parser.offset
            try read(&parser)
            return .text(parser.source.string(start..<parser.offset))
        }
    }
}

extension SyntaxParser {
    fileprivate mutating func header(named rule: String) throws(QueryError) -> HeaderSyntax {
        let header = try header()
        let written = header.text.prefix { $0 != ":" }.lowercased()
        guard rule == "header" || written == rule || (rule == "isolation" && header == .isolation) else {
            throw invalid(rule, at: 0)
        }
        return header
    }

    fileprivate mutating func preference(named name: String) throws(QueryError) -> Preference {
        let start = offset
        let preference = try preference()
        guard preference.name == name else {
            offset = start
            throw unexpected(name)
        }
        return preference
    }

    fileprivate mutating func host() throws(QueryError) {
        if isNext("["), end > offset + 2, source.text[end - 1] == UInt8(ascii: "]"),
            InternetAddress.isLiteral(source.text[(offset + 1)..<(end - 1)])
        {
            offset = end
            return
        }
        while let byte = peek(), InternetAddress.isRegisteredNameByte(byte) { offset += 1 }
    }

    /// `*( qchar-no-AMP )`
    fileprivate mutating func customValue() throws(QueryError) {
        let value = try uriText(0...Int.max, ":@/?")
        guard let sign = value.text.utf8.firstIndex(of: UInt8(ascii: "&")) else { return }
        throw invalid("%26", at: value.offset + value.text.utf8.distance(from: value.text.startIndex, to: sign))
    }

    fileprivate mutating func address(
        _ expected: String, _ isAddress: (ArraySlice<UInt8>) -> Bool
    ) throws(QueryError) {
        guard isAddress(source.text[offset..<end]) else { throw unexpected(expected) }
        offset = end
    }
}
