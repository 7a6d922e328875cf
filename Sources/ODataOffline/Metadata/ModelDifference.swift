import ODataModel
import ODataStores

/// The difference between a service's metadata and those that a store was created with.
///
/// If a store cannot continue with the new metadata, it is the cause of an ``ODataError`` `metadataChanged`:
/// ``ODataError/modelDifference``.
public struct ModelDifference: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that was added, removed or changed.
    public struct Change: Hashable, Sendable, CustomStringConvertible {
        /// The kind of a change.
        public enum Kind: String, Sendable {
            /// `added`: only in the new metadata; `removed`: only in the old ones; `changed`: different in both.
            case added, removed, changed
        }

        /// The kind of the change of ``element``.
        public var kind: Kind
        /// An entity set, a type, a member of a type: `Orders`, `Model.Order`, `Model.Order/Amount`.
        public var element: String
        /// The old and the new value: `Edm.String → Edm.Int32`; empty if there is nothing to add.
        public var detail = ""
        /// The element that the store must not use for the change to be harmless; nil if it always is.
        var place: Place?

        public var description: String {
            detail.isEmpty ? "\(kind.rawValue): \(element)" : "\(kind.rawValue): \(element) (\(detail))"
        }
    }

    /// Where a store may use a removed or changed element.
    enum Place: Hashable, Sendable {
        /// Any entity of the set.
        case set(String)
        /// Any entity of the type or a derived one.
        case entities(EdmQualifiedName)
        /// Any value of the property of the type.
        case property(EdmQualifiedName, String)
        /// Any value of the complex or enumeration type.
        case values(EdmQualifiedName)
        /// Any link of the navigation property.
        case links(set: String, navigation: String)
    }

    /// All differences, whether or not the store uses what has changed.
    public var changes: [Change] = []
    /// The conflicts: changes of elements in use, defining queries and waiting requests that do not fit.
    public var conflicts: [String] = []

    /// An empty difference.
    public init(changes: [Change] = [], conflicts: [String] = []) {
        self.changes = changes
        self.conflicts = conflicts
    }

    /// Whether both metadata are equal, as far as the library reads them.
    public var isEmpty: Bool { changes.isEmpty }
    /// Whether a store can continue with the new metadata unchanged.
    public var isCompatible: Bool { conflicts.isEmpty }

    /// A line for each conflict, or else for each change.
    public var description: String {
        (conflicts.isEmpty ? changes.map(\.description) : conflicts).joined(separator: "\n")
    }
}

extension ODataError {
    /// The changes, if this is the error `metadataChanged`.
    public var modelDifference: ModelDifference? { cause as? ModelDifference }

    init(_ difference: ModelDifference) {
        let shown = difference.conflicts.prefix(5).joined(separator: "; ")
        let rest = difference.conflicts.count > 5 ? " and \(difference.conflicts.count - 5) more" : ""
        self.init(
            .metadataChanged,
            "The service's metadata have changed and the store does not fit them: \(shown)\(rest). Nothing was "
                + "changed; waiting requests can still be uploaded. rebuild() ('odata store rebuild') downloads the data again and "
                + "keeps the queue.",
            cause: difference)
    }
}
