import ArgumentParser
import OData

/// The defining queries that a download reads, and how it finds their changes.
struct QuerySelection: ParsableArguments {
    @Argument(help: "Names of queries; all if none is given.", completion: StoreCompletion.queries)
    var names: [String] = []
    @Option(
        name: .customLong("refresh"), help: "\(RefreshArgument.help) With name= before it of one query only.",
        completion: RefreshArgument.completion)
    var refreshes: [RefreshArgument] = []
    @Flag(
        inversion: .prefixedNo,
        help: "Ask for each stream whether it has changed: for services whose entities do not say.")
    var checkStreams: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Ask how many entities come: not for services that take long to count, some of them for each page.")
    var count = true

    /// Nil for all queries.
    var named: [String]? { names.isEmpty ? nil : names }

    /// Keeps what the options say of queries.
    func setRefresh(in store: OfflineStore) async throws {
        let known = try await store.queries
        if let wrong = refreshes.compactMap(\.query).first(where: { name in !known.contains { $0.name == name } }) {
            throw Failure("There is no defining query named \(wrong).")
        }
        for query in known {
            let isNamed = names.isEmpty || names.contains(query.name)
            let own = refreshes.last { $0.query == query.name } ?? refreshes.last { $0.query == nil && isNamed }
            let checks = (isNamed ? checkStreams : nil) ?? query.checksStreams
            guard own != nil || checks != query.checksStreams else { continue }
            try store.setRefresh(own?.refresh ?? query.refresh, checksStreams: checks, of: query.name)
        }
    }
}
