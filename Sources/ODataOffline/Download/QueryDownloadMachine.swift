import ODataStores

/// The course of a defining query's download, without its input and output: events go in, actions come out.
///
///     idle ─┬→ delta ─┬────────→ deltaRead ─┐
///           │         └→ keys → keysRead ───┼→ (expansions, publication) → idle
///           └→ full ──────────→ fullRead ───┘
///
/// Every phase returns to `full` once if a next or delta link is lost, and if changes are rejected. The ``record``
/// after an event is saved in the transaction that writes the received rows.
struct QueryDownloadMachine: Sendable {
    struct Page: Hashable, Sendable {
        /// The result that a page is a part of.
        enum Part: Sendable {
            case result
            /// Of the changes of a delta link.
            case changes
            /// Of the entities with a greater value of the app's property.
            case changesSince
            case keys
        }

        var part: Part
        /// The next or delta link; nil: the first page.
        var link: String?
    }

    enum Action: Sendable {
        /// Empty the stages, then call ``madeStages()``.
        case makeStages
        /// Read and write a page, then call ``readPage(nextLink:deltaLink:)``.
        case readPage(Page)
        /// Read the remaining pages of expanded collections, then call ``readExpansions()``.
        case readExpansions
        /// Publish the stages, then call ``published(at:since:)``.
        case publish(StagePublication.Content)
        /// Determine whether the link is at fault, then call ``checkedLink(_:isLost:)``.
        case checkLink(ODataError)
        /// Save that the next download begins again, by ``discarded(_:)``.
        case discard(any Error)
        case fail(any Error)
        case finish
    }

    /// The persistent state.
    private(set) var record: QueryRecord
    /// Whether part of the stages was written by earlier downloads.
    private(set) var isContinued = false
    /// The link of a page of an expanded collection, while it is read.
    var expansionLink: String?
    /// Whether the result is read again because of a lost link.
    private var hasLostLink = false

    init(_ record: QueryRecord) { self.record = record }

    /// The kind of the rows that are read.
    var content: PageContent {
        switch record.phase {
        case .delta, .deltaRead, .keysRead: .changes
        case .keys: .keys
        case .idle, .full, .fullRead: .result(isKnown: record.mode == .comparison)
        }
    }

    /// The next action of the phase.
    var next: Action {
        switch record.phase {
        case .idle: .finish
        case .full: page(.result)
        case .delta: page(record.mode == .changedSince ? .changesSince : .changes)
        case .keys: page(.keys)
        case .fullRead, .deltaRead, .keysRead: .readExpansions
        }
    }

    private func page(_ part: Page.Part) -> Action { .readPage(Page(part: part, link: record.continuation)) }
}

extension QueryDownloadMachine {
    /// - Parameters:
    ///   - mode: How a download that begins reads.
    ///   - reason: The reason why it reads everything again.
    ///   - hasStages: Whether the stages of an interrupted download exist and fit the query.
    mutating func started(_ mode: RefreshMode, reason: String?, hasStages: Bool) -> Action {
        guard record.phase == .idle || !hasStages else {
            isContinued = true
            return next
        }
        return begin(
            mode, mode == .delta || mode == .changedSince ? .delta : .full, link: mode == .delta ? record.delta : nil,
            reason: mode == .comparison ? reason : nil)
    }

    private mutating func begin(
        _ mode: RefreshMode, _ phase: QueryRecord.Phase, link: String?, reason: String?
    ) -> Action {
        (record.mode, record.phase, record.continuation, record.reason) = (mode, phase, link, reason)
        (record.pendingDelta, record.pages, record.rows) = (nil, 0, 0)
        (isContinued, expansionLink) = (false, nil)
        return .makeStages
    }

    func madeStages() -> Action { next }

    mutating func wroteRows(_ count: Int) { if record.phase != .keys { record.rows += count } }

    mutating func readPage(nextLink: String?, deltaLink: String?) -> Action {
        record.pages += 1
        // A delta link before the last page returns the changes since then, and is used if the last page has none.
        record.pendingDelta = deltaLink ?? record.pendingDelta
        record.continuation = nextLink
        guard nextLink == nil else { return next }
        switch record.phase {
        case .delta: record.phase = record.mode == .changedSince && record.comparesNow ? .keys : .deltaRead
        case .keys: record.phase = .keysRead
        case .full: record.phase = .fullRead
        case .idle, .fullRead, .deltaRead, .keysRead: break
        }
        return next
    }

    mutating func readExpansions() -> Action {
        expansionLink = nil
        switch record.phase {
        case .deltaRead: return .publish(.changes)
        case .keysRead: return .publish(.changesAndKeys)
        case .fullRead, .idle, .full, .delta, .keys: return .publish(.result)
        }
    }

    /// - Parameter since: The greatest value of the property that indicates changes.
    mutating func published(at time: String, since: String?) -> Action {
        if record.mode != .changedSince { record.delta = record.pendingDelta }
        (record.phase, record.continuation, record.pendingDelta) = (.idle, nil, nil)
        (record.since, record.downloaded) = (since, time)
        record.reads += 1
        return next
    }
}

// MARK: - What fails

/// Rolls the transaction of a download's step back and carries the reason.
enum DownloadStepError: Error {
    /// The received changes cannot be applied.
    case rejected(String)
    /// The next links form a cycle, or do not end.
    case endless(ODataError)
}

extension QueryDownloadMachine {
    /// An action failed.
    mutating func failed(_ error: any Error) -> Action {
        switch error {
        case DownloadStepError.rejected(let reason): rejected(reason)
        case DownloadStepError.endless(let failure): isLost(failure) ? lost(failure) : .discard(failure)
        case let failure as ODataError where isLost(failure): lost(failure)
        default: .fail(error)
        }
    }

    /// - Parameter isLost: Whether the whole result is to be read; otherwise the received pages are kept for the next
    ///   download.
    mutating func checkedLink(_ failure: ODataError, isLost: Bool) -> Action {
        guard isLost else { return .fail(failure) }
        hasLostLink = true
        return restart(because: reason(for: failure))
    }

    mutating func discarded(_ error: any Error) -> Action {
        record.phase = .idle
        return .fail(error)
    }

    private mutating func rejected(_ reason: String) -> Action {
        switch record.phase {
        case .delta, .deltaRead, .keys, .keysRead: restart(because: reason)
        case .idle, .full, .fullRead: .discard(ODataError(.invalidResponse, reason))
        }
    }

    /// A link that is also lost in the whole result is not kept for the next download.
    private mutating func lost(_ failure: ODataError) -> Action {
        guard !hasLostLink else { return .discard(failure) }
        return failure.mayBeOfLink ? .checkLink(failure) : checkedLink(failure, isLost: true)
    }

    private mutating func restart(because reason: String) -> Action {
        record.delta = nil
        return begin(record.reads > 0 ? .comparison : .full, .full, link: nil, reason: reason)
    }

    /// Whether an error means that a next or delta link is no longer valid. Services reject an unknown link in
    /// different ways: SAP Gateway fails with 500. A delta link whose changes cannot be read is also lost.
    private func isLost(_ error: ODataError) -> Bool {
        guard let link = expansionLink ?? record.continuation else { return false }
        switch error.code {
        case .gone, .notFound: return true
        case .badRequest, .notImplemented: return isContinued || record.mode == .delta && link == record.delta
        case .invalidResponse: return record.mode == .delta
        default: return error.mayBeOfLink && (isContinued || record.mode == .delta)
        }
    }

    /// The reason for a read of the whole result, for the event and the report.
    private func reason(for error: ODataError) -> String {
        let isDelta = record.mode == .delta
        guard error.mayBeOfLink || isDelta && error.code == .invalidResponse else { return error.message }
        let link = isDelta ? "changes, which its delta link leads to," : "next page"
        return "The service's \(link) cannot be read: \(error.message)"
    }
}

extension ODataError {
    /// Whether the service, or a gateway before it, failed at the request itself.
    var isOfServer: Bool { status.map { (500..<600).contains($0) && $0 != 501 } ?? false }

    /// Whether a link may have caused an error of a request: the service or a gateway failed or closed the connection,
    /// or refused the request for a reason that does not apply to all requests. A request for the query's first page
    /// then decides.
    var mayBeOfLink: Bool {
        guard let status else { return code == .unreachable }
        return (400..<600).contains(status) && ![401, 407, 408, 425, 429, 501].contains(status)
    }
}
