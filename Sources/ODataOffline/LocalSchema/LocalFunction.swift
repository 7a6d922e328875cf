import ODataModel
import ODataSQL

/// What expressions can ask an offline store about an entity.
package enum LocalFunction: String, CaseIterable, Sendable {
    /// Made here; the service does not know it yet.
    case isLocal
    /// Changes of it are not sent.
    case hasPendingChanges
    /// A request for it failed and is in the error archive.
    case isInErrorState
    /// The last download brought or changed it.
    case isUpsertedByLastDownload
    /// It is in the store: false for a navigation property that is not set, or leads to what the store does not hold.
    case entityExists
    /// The stream of the media entity, or the stream property before the function, is in the store.
    case mediaIsOffline

    /// Those that are instance annotations too: all but ``entityExists``, which would always be true.
    package static var annotations: [LocalFunction] { allCases.filter { $0 != .entityExists } }

    package static let namespace = "OfflineStore"
    /// The namespace of the names that apps of SAP's stores use.
    package static let sapNamespace = "sap"

    package var name: EdmQualifiedName { EdmQualifiedName(namespace: Self.namespace, name: rawValue) }

    /// As apps of SAP's stores write it, whose documentation has both: `sap.haspendingchanges()`,
    /// `sap.hasPendingChanges()`.
    package var sapNames: [EdmQualifiedName] {
        let name =
            switch self {
            case .isInErrorState: "inErrorState"
            case .isUpsertedByLastDownload: "upsertedLastDownload"
            default: rawValue
            }
        return [name.lowercased(), name].map { EdmQualifiedName(namespace: Self.sapNamespace, name: $0) }
    }

    /// The function that `operation` declares; nil if it is the service's.
    package init?(_ operation: EdmOperationDeclaration) {
        guard operation.isBound, Self.bindings.contains(where: { $0 == operation.bindingType }),
            let function = Self.allCases.first(where: {
                $0.name == operation.name || $0.sapNames.contains(operation.name)
            })
        else { return nil }
        self = function
    }

    private static let entity = EdmTypeReference.entity(EdmQualifiedName(namespace: "Edm", name: "EntityType"))
    private static let bindings = [entity, .collection(entity), .primitive(.stream)]

    /// The declarations, under our names or SAP's.
    package static func operations(inSAPNamespace isSAP: Bool) -> [EdmOperationDeclaration] {
        allCases.flatMap { function in
            (isSAP ? function.sapNames : [function.name]).flatMap { function.declarations(named: $0) }
        }
    }

    private func declarations(named name: EdmQualifiedName) -> [EdmOperationDeclaration] {
        bindings.map { type in
            EdmOperationDeclaration(
                kind: .function, name: name, isBound: true,
                parameters: [.init(name: "subject", type: type, isNullable: false)], result: .init(type: .boolean))
        }
    }

    private var bindings: [EdmTypeReference] {
        switch self {
        case .entityExists: [Self.entity, .collection(Self.entity)]
        case .mediaIsOffline: [Self.entity, .primitive(.stream)]
        default: [Self.entity]
        }
    }
}

extension LocalTable {
    /// The SQL of a function about a row of the table, or about a stream property of it.
    func sql(of function: LocalFunction, stream property: String?) -> RowFunction {
        switch function {
        case .isLocal: state(.madeHere)
        case .hasPendingChanges: state(.pending)
        case .isInErrorState: state(.inError)
        case .isUpsertedByLastDownload:
            RowFunction(
                condition: """
                    \(.row(.download)) = coalesce((SELECT "value" FROM \(.store) WHERE "name" = 'download'), -1)
                    """)
        case .entityExists: RowFunction(condition: .row(.id) + " IS NOT NULL", isFalseOfNothing: true)
        case .mediaIsOffline:
            // The content of a row may be lost.
            RowFunction(
                condition: stream(of: property).map {
                    "EXISTS (SELECT 1 FROM \(.media) WHERE \"digest\" = \(.row($0.digest)))"
                } ?? "0")
        }
    }

    /// What `functions` give for a row. Only media entities describe their stream.
    func annotations(_ functions: [LocalFunction]) -> RowAnnotations {
        let parts = functions.enumerated().compactMap { index, function -> SQLFragment? in
            guard function != .mediaIsOffline || stream(of: nil) != nil else { return nil }
            return "(\(1 << (2 * index))) | ((\(sql(of: function, stream: nil).condition)) << \(2 * index + 1))"
        }
        return RowAnnotations(
            terms: functions.map { "\($0.name)" }, expression: parts.isEmpty ? "0" : parts.joined(" | "))
    }

    private func state(_ state: LocalState) -> RowFunction {
        RowFunction(condition: "\(.row(.state)) & \(state.rawValue) <> 0")
    }
}
