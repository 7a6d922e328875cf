#if canImport(SwiftUI)
    import OData
    import SwiftUI

    /// The entities of a collection in a view, as they are now.
    ///
    /// ```swift
    /// struct OrderList: View {
    ///     @Fetched({ $0["Orders"].orderBy { $0["DueDate"] } }) private var orders
    ///
    ///     var body: some View { List(orders) { order in Text("\(order["Title"] ?? .null)") } }
    /// }
    /// ```
    ///
    /// The collections come from the environment (`View.entityCollections(_:)`); a collection that is known when the
    /// view is made can be given itself: `@Fetched(service.orders.where { $0.isOpen })`.
    @propertyWrapper @MainActor
    public struct Fetched<Element: CollectionElement>: @preconcurrency DynamicProperty {
        @State private var entities = FetchedEntities<Element>()
        @Environment(\.entityCollections) private var collections
        private let query: @MainActor (EntityCollections?) -> EntityCollection<Element>?

        /// A collection that is known.
        public init(_ collection: EntityCollection<Element>) { query = { _ in collection } }

        /// A collection of the store in the environment.
        public init(_ query: @escaping @MainActor (EntityCollections) -> EntityCollection<Element>) {
            self.query = { $0.map(query) }
        }

        /// All of them, in the order of the query.
        public var wrappedValue: [Element] { entities.results }

        /// The error, the difference, another query: `$orders.error`, `$orders.follow(…)`.
        public var projectedValue: FetchedEntities<Element> { entities }

        /// Called by SwiftUI before the body of the view.
        public func update() {
            // Once: a collection that has ended, as that of a closed store, would end again with each update of the view.
            guard !entities.hasCollection else { return }
            if let collection = query(collections) { entities.follow(collection) }
        }
    }

    extension EnvironmentValues {
        /// The collections of the app's store; nil before `View.entityCollections(_:)` sets them.
        public var entityCollections: EntityCollections? {
            get { self[EntityCollectionsKey.self] }
            set { self[EntityCollectionsKey.self] = newValue }
        }
    }

    private struct EntityCollectionsKey: EnvironmentKey {
        static var defaultValue: EntityCollections? { nil }
    }

    extension View {
        /// The collections that ``Fetched`` reads in this view and in those below it.
        public func entityCollections(_ collections: EntityCollections?) -> some View {
            environment(\.entityCollections, collections)
        }
    }
#endif
