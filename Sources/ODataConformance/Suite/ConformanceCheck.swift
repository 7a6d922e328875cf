import ODataStores

/// One thing that every store must do, with the data of ``ConformanceSample``.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
    /// The request, or what it is about: unique in the suite.
    public let name: String
    /// The section of the standard that asks for it: `OData-URL 5.1.1.1`.
    public let section: String
    /// What a store must be able to do for the check to make sense.
    public let needs: Set<ConformanceCapability>
    /// Whether the check changes data, and needs a fresh sample for itself.
    public let changesData: Bool
    private let body: @Sendable (ConformanceSession) async throws -> Void

    init(
        _ name: String, section: String, needs: Set<ConformanceCapability> = [], changesData: Bool,
        body: @escaping @Sendable (ConformanceSession) async throws -> Void
    ) {
        self.name = name
        self.section = section
        self.needs = needs
        self.changesData = changesData
        self.body = body
    }

    public var description: String { name }

    /// Runs the check on `store`, which serves the sample.
    ///
    /// - Throws: ``ConformanceFailure`` if the store does not do what is asked; says what was expected and found.
    public func run(on store: any ODataStore) async throws {
        do {
            try await body(try await ConformanceSession(store: store))
        } catch var failure as ConformanceFailure {
            failure.check = name
            failure.section = section
            throw failure
        } catch {
            throw ConformanceFailure(check: name, section: section, expected: "no error", found: "\(error)")
        }
    }
}

/// What not every store can do. An open set.
public struct ConformanceCapability: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameter description: What a store can do, and what distinguishes this capability from others.
    public init(_ description: String) {
        self.description = description
    }

    /// Keys that are left out of a create are made at once; they are not temporary.
    public static let madeKeys = ConformanceCapability("final keys made by the store")
    /// Default values of properties that are left out are filled in at once.
    public static let defaults = ConformanceCapability("default values filled in by the store")
    /// Unique, foreign key, check and not-null constraints are enforced at once.
    public static let constraints = ConformanceCapability("constraints enforced by the store")
    /// References to entities that the store does not have are refused at once.
    public static let references = ConformanceCapability("references checked by the store")
    /// Media entities without streams can be made together with what they are related to.
    public static let nestedMedia = ConformanceCapability("media entities made of properties, with others")
    /// Entities have ETags, also those that were made in the store.
    public static let etags = ConformanceCapability("ETags of all entities")
    /// A change gives an ETag of its own at once.
    public static let newETags = ConformanceCapability("new ETags given by the store")
    /// Pages are not larger than requested.
    public static let paging = ConformanceCapability("pages of the requested size")
    /// Delta links are given.
    public static let deltaLinks = ConformanceCapability("delta links")
}

/// A store did not do what the standard asks for.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ``ConformanceCheck/name`` of the check.
    public var check: String
    /// The section of the standard that asks for it: `OData-URL 5.1.1.1`.
    public var section: String
    /// What a store that conforms does, in words or as the value itself.
    public var expected: String
    /// What the store did instead; for an unexpected error, the error.
    public var found: String

    init(check: String = "", section: String = "", expected: String, found: String) {
        self.check = check
        self.section = section
        self.expected = expected
        self.found = found
    }

    public var description: String { "\(check) [\(section)]: expected \(expected), found \(found)" }
}
