import ODataModel
import ODataStores

/// How a service's metadata differ from those that a store was made with.
///
/// Where a store cannot go on with the new metadata, it is the cause of an ``ODataError`` `metadataChanged`:
/// ``ODataError/modelDifference``.
public struct ModelDifference: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that was added, removed or changed.
    public struct Change: Hashable, Sendable, CustomStringConvertible {
        /// What has become of the element.
        public enum Kind: String, Sendable {
            /// `added`: only in the new metadata; `removed`: only in the old ones; `changed`: in both, but not alike.
            case added, removed, changed
        }

        /// What has become of ``element``.
        public var kind: Kind
        /// An entity set, a type, a member of a type: `Orders`, `Model.Order`, `Model.Order/Amount`.
        public var element: String
        /// What it was and what it is: `Edm.String → Edm.Int32`; empty where that needs no words.
        public var detail = ""
        /// What the store must not use for the change to do no harm; nil if it never does any.
        var place: Place?

        public var description: String {
            detail.isEmpty ? "\(kind.rawValue): \(element)" : "\(kind.rawValue): \(element) (\(detail))"
        }
    }

    /// Where a store may keep something of what was removed or changed.
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
    /// What is in the way: changes of things in use, defining queries and waiting requests that do not fit.
    public var conflicts: [String] = []

    /// Without values: nothing has changed, and nothing is in the way.
    public init(changes: [Change] = [], conflicts: [String] = []) {
        self.changes = changes
        self.conflicts = conflicts
    }

    /// Whether both metadata say the same, as far as the library reads them.
    public var isEmpty: Bool { changes.isEmpty }
    /// Whether a store can go on with the new metadata as it is.
    public var isCompatible: Bool { conflicts.isEmpty }

    /// A line for each conflict, or else for each change.
    public var description: String {
        (conflicts.isEmpty ? changes.map(\.description) : conflicts).joined(separator: "\n")
    }
}

extension ODataError {
    /// What has changed, if this is the error `metadataChanged`.
    public var modelDifference: ModelDifference? { cause as? ModelDifference }

    init(_ difference: ModelDifference) {
        let shown = difference.conflicts.prefix(5).joined(separator: "; ")
        let rest = difference.conflicts.count > 5 ? " and \(difference.conflicts.count - 5) more" : ""
        self.init(
            .metadataChanged,
            "The service's metadata have changed and what the store holds does not fit: \(shown)\(rest). Nothing was "
                + "changed; what waits can still be uploaded. rebuild() ('odata store rebuild') downloads the data anew and "
                + "keeps the queue.",
            cause: difference)
    }
}
