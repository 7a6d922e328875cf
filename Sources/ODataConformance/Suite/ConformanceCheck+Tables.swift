extension ConformanceCheck {
    /// One check per line: a URL and what it gives.
    static func reads(
        section: String, needs: Set<ConformanceCapability> = [], _ table: [(url: String, expectation: Expectation)]
    ) -> [ConformanceCheck] {
        table.map { url, expectation in
            ConformanceCheck(url, section: section, needs: needs, changesData: false) { session in
                try await session.expect(url, expectation)
            }
        }
    }

    /// One check per line: a filter of `set` and the keys it leaves.
    static func filters(
        of set: String, section: String, _ table: [(filter: String, keys: String)]
    ) -> [ConformanceCheck] {
        reads(section: section, table.map { ("\(set)?$filter=\($0.filter)", .keys($0.keys)) })
    }

    /// A read that is more than a URL.
    static func read(
        _ name: String, section: String, needs: Set<ConformanceCapability> = [],
        body: @escaping @Sendable (ConformanceSession) async throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(name, section: section, needs: needs, changesData: false, body: body)
    }

    /// A check that changes data.
    static func change(
        _ name: String, section: String, needs: Set<ConformanceCapability> = [],
        body: @escaping @Sendable (ConformanceSession) async throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(name, section: section, needs: needs, changesData: true, body: body)
    }
}
