import Foundation

/// Parameters of a query or of a form: `f=json&objectIds=1%2C2`.
enum FormText {
    static func parameters(_ text: some StringProtocol) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map({ decoded($0) }), !name.isEmpty else { continue }
            parameters[name] = parts.count == 2 ? decoded(parts[1]) : ""
        }
        return parameters
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
