import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// What the stores make of a change.
struct TwinComparison: CustomStringConvertible {
    private(set) var differences: [String] = []
    /// Whether the device accepts what the direct store refuses, and the service refuses it with the same error.
    private(set) var isLate = false
    /// Whether no store has written anything.
    private(set) var isUnchanged = false

    /// Of the error of the direct store.
    private(set) var code: ODataError.Code?

    private let model: EdmModel
    private let rows: TwinRows

    var description: String { differences.joined(separator: "\n") }

    init(of change: TwinChange, in stores: TwinStores, _ folder: TwinFolder) async throws {
        model = folder.model
        rows = folder.rows(for: change)
        stores.network.set(false)
        let writes = try stores.writes()
        let direct = try await result(of: change, in: stores.direct)
        let device = try await result(of: change, in: stores.device)
        if case .error(let code, _) = direct { self.code = code }
        if direct != device { differences.append("direct: \(direct)\ndevice: \(device)") }
        if direct.isError, device.isError, try stores.writes() == writes {
            isUnchanged = true
            return
        }
        async let directRows = rows.lines(of: stores.direct)
        async let deviceRows = rows.lines(of: stores.device)
        let (expected, found) = try await (directRows, deviceRows)
        compare("before the upload", expected, found, hidingMadeKeys: true)
        if !device.isError { try await upload(from: stores, after: direct, expected) }
    }

    private mutating func upload(from stores: TwinStores, after direct: TwinResult, _ expected: [String]) async throws {
        stores.network.set(true)
        let report = try await stores.device.upload()
        let failures = report.failed.map { "\($0.code) \($0.message)" }
        if !report.isComplete { differences.append("upload: \(failures) held: \(report.held.map(\.url))") }
        async let serviceRows = rows.lines(of: stores.service)
        async let deviceRows = rows.lines(of: stores.device)
        let (sent, found) = try await (serviceRows, deviceRows)
        compare("at the service", expected, sent)
        if case .error(_, let error) = direct, let failure = report.failed.first {
            isLate = report.failed.count == 1 && error.hasSuffix(" \(failure.message)") && expected == sent
            return
        }
        compare("after the upload", sent, found)
    }

    private mutating func compare(
        _ time: String, _ expected: [String], _ found: [String], hidingMadeKeys: Bool = false
    ) {
        var (left, right) = (expected, found)
        let same = Set(expected).intersection(found)
        left.removeAll(where: same.contains)
        right.removeAll(where: same.contains)
        if hidingMadeKeys { (left, right) = (TwinRows.hidingMadeKeys(left), TwinRows.hidingMadeKeys(right)) }
        for line in right.difference(from: left) {
            switch line {
            case .remove(_, let line, _): differences.append("\(time) - \(line)")
            case .insert(_, let line, _): differences.append("\(time) + \(line)")
            }
        }
    }

    private func result(of change: TwinChange, in store: any ODataStore) async throws -> TwinResult {
        var reader = TwinRequestReader(store: store, model: model)
        var requests: [ChangeRequest] = []
        for request in change.requests { requests.append(try await reader.request(request)) }
        do {
            if let media = try await createMedia(change.requests[0], requests[0], reader) { return .outcomes([media]) }
            guard requests.count > 1 else { return .outcomes([try await store.change(requests[0]).outcome]) }
            return .outcomes(try await store.changeSet(requests).map(\.outcome))
        } catch let error as ODataError {
            let position = error.requestIndex.map { " in request \($0 + 1)" } ?? ""
            return .error(error.code, "\(error.code)\(position) \(error.message)")
        }
    }

    /// A media entity whose properties are given beside its stream.
    private func createMedia(_ twin: TwinRequest, _ request: ChangeRequest, _ reader: TwinRequestReader) async throws
        -> ChangeResult.Outcome?
    {
        guard case .stream(_, let json?) = twin.body, case .createMedia(let content, let slug) = request.operation
        else { return nil }
        let payload = try reader.payload(json, at: request.target, isUpdate: false)
        return try await reader.store.createMedia(content, in: request.target, slug: slug, properties: payload).outcome
    }
}

/// What a store returns for a change.
enum TwinResult: Equatable, CustomStringConvertible {
    case outcomes([ChangeResult.Outcome])
    case error(ODataError.Code, String)

    var isError: Bool { if case .error = self { true } else { false } }

    var description: String {
        switch self {
        case .outcomes(let outcomes): outcomes.map { "\($0)" }.joined(separator: ", ")
        case .error(_, let error): error
        }
    }
}
