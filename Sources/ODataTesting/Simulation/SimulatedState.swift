import ODataModel
import ODataQuery
import ODataStores

/// All that a store shows, in a form that can be compared.
struct SimulatedState: Sendable {
    struct Line: Hashable, Sendable {
        var set: String
        var key: String
        var marker: String
        var values: [String: String]
        /// The keys of the labels of a job.
        var labels: [String] = []
        /// The word that the content was made of; more if the content is another one.
        var content: String?
    }

    /// In the order of set and key.
    let lines: [Line]
}

extension SimulatedState {
    init(_ store: any ODataStore, sets: [String]) async throws {
        let parser = QueryParser(model: try await store.model())
        let names = ["First", "Second", "JobID"] + SimulatedService.placeMembers.map { "Place/\($0)" }
        var lines: [Line] = []
        for set in sets {
            let query = try parser.query(set == "Jobs" ? "Jobs?$expand=Labels" : set)
            for entity in try await store.entities(query) {
                var line = Line(
                    set: set, key: entity.id ?? "", marker: entity["Marker"].text, values: [:],
                    labels: entity.keys(of: "Labels"))
                for name in names { line.values[name] = entity.value(at: name).text }
                if set == "Pictures" { line.content = await Self.content(of: entity, in: store, parser) }
                lines.append(line)
            }
        }
        self.init(lines: lines.sorted { ($0.set, $0.key) < ($1.set, $1.key) })
    }

    private static func content(of entity: EdmEntity, in store: any ODataStore, _ parser: QueryParser) async -> String {
        do {
            let request = StreamRequest(try parser.path(entity.id ?? ""))
            let bytes = try await store.readStream(request).content.collect(upTo: 1 << 20)
            let word = String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
            let isWhole = bytes == SimulatedPicture.bytes(word)
            return isWhole ? word : "\(word), damaged: \(bytes.count) bytes, \(checksum(bytes))"
        } catch { return "\(error)" }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.reduce(0) { ($0 &+ UInt32($1)) &* 16_777_619 } }

    /// What can be compared where no query brings the labels of jobs.
    var withoutLabels: SimulatedState {
        SimulatedState(
            lines: lines.map { line in
                var line = line
                line.labels = []
                return line
            })
    }

    /// Whether a job has a label, both given by their markers.
    func hasLabel(_ label: String, of job: String) -> Bool {
        let keys = Set(lines.filter { $0.set == "Labels" && $0.marker == label }.map(\.key))
        return lines.contains { $0.set == "Jobs" && $0.marker == job && !keys.isDisjoint(with: $0.labels) }
    }

    /// What differs in `other`, which is called `name`.
    func differences(from other: SimulatedState, named name: String) -> [String] {
        let mine = Dictionary(lines.map { ("\($0.set) \($0.key)", $0) }) { first, _ in first }
        let theirs = Dictionary(other.lines.map { ("\($0.set) \($0.key)", $0) }) { first, _ in first }
        return Set(mine.keys).union(theirs.keys).sorted().compactMap { key in
            guard mine[key] != theirs[key] else { return nil }
            let (here, there) = (mine[key].map { "\($0)" } ?? "nothing", theirs[key].map { "\($0)" } ?? "nothing")
            return "\(key): \(name) has \(there), the service \(here)"
        } + (other.lines.count == theirs.count ? [] : ["\(name) shows an entity twice"])
    }
}

extension SimulatedState.Line: CustomStringConvertible {
    var description: String {
        let values = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([marker] + values + labels + [content].compactMap(\.self)).joined(separator: " ")
    }
}

extension EdmValue? {
    fileprivate var text: String {
        guard let self, !self.isNull else { return "" }
        return self.lexical
    }
}

extension EdmEntity {
    /// `Place/City` is a member of a complex value: nil where that is null.
    func value(at path: String) -> EdmValue? {
        var value: EdmValue? = .complex(properties)
        for name in path.split(separator: "/") {
            guard case .complex(let complex)? = value else { return nil }
            value = complex[String(name)]
        }
        return value
    }

    fileprivate func keys(of navigation: String) -> [String] {
        guard case .many(let entities, _)? = expanded[navigation] else { return [] }
        return entities.map { $0.id ?? "" }.sorted()
    }
}
