import Testing

/// A change leads to the same entities, or is refused with the same error, in a database and on a device; and the device
/// brings the service to the same entities.
@Suite("Changes of a database and of a device", .serialized, WithTwinFolder(sample: .declared)) struct ChangeTwinTests {
    @Test("Creation", arguments: TwinChange.creations) func creation(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Update", arguments: TwinChange.updates) func update(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Deep update", arguments: TwinChange.deepUpdates) func deepUpdate(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Change of a property", arguments: TwinChange.propertyChanges) func property(_ change: TwinChange)
        async throws
    { try await change.compare() }

    @Test("Change of a reference", arguments: TwinChange.references) func reference(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Deletion", arguments: TwinChange.deletions) func deletion(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Change of a singleton", arguments: TwinChange.singletons) func singleton(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Change of a stream", arguments: TwinChange.streams) func stream(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Change with a condition", arguments: TwinChange.conditions) func condition(_ change: TwinChange) async throws
    { try await change.compare() }

    @Test("Value that is refused", arguments: TwinChange.faults) func fault(_ change: TwinChange) async throws {
        try await change.compare()
    }

    @Test("Change set", arguments: TwinChange.changeSets) func changeSet(_ change: TwinChange) async throws {
        try await change.compare()
    }
}

/// The same in the tables of another program.
@Suite("Changes of another program's tables and of a device", .serialized, WithTwinFolder(sample: .published))
struct PublishedTwinTests {
    @Test("Change", arguments: TwinChange.published) func change(_ change: TwinChange) async throws {
        try await change.compare()
    }
}

extension TwinChange {
    fileprivate func compare() async throws {
        let folder = try #require(TwinFolder.current)
        let stores = try await folder.stores()
        let comparison = try await TwinComparison(of: self, in: stores, folder)
        if comparison.isUnchanged { await folder.keep(stores) } else { try stores.remove() }
        switch agreement {
        case .same:
            #expect(comparison.differences.isEmpty, "\(comparison)")
            if let refusal { #expect(comparison.code == refusal) }
        case .late: #expect(comparison.isLate, "\(comparison)")
        case .known(let reason):
            #expect(!comparison.differences.isEmpty, "The stores agree, which they did not because \(reason)")
        }
    }
}
