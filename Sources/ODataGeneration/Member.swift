import ODataModel

/// A structural property as a member of a generated structure.
struct Member {
    enum Storage {
        /// `var price: EdmDecimal?`
        case plain
        /// `private var idValue: Int32?` behind `var id: Int32`: what the service makes.
        case made(name: String, placeholder: String)
        /// `private var parentValue: [Node]` behind `var parent: Node?`: a structure cannot contain itself.
        case boxed(name: String)
    }

    let property: EdmProperty
    /// With backticks where needed.
    let name: String
    /// The type of a value that is not null.
    let type: String
    /// Whether ``name`` may be nil.
    let isOptional: Bool
    /// Whether nil omits the value instead of sending null, since the service computes it.
    let isMade: Bool
    let storage: Storage

    var isCollection: Bool { property.type.isCollection }

    /// Where the value is kept, as code inside the structure names it.
    var stored: String {
        switch storage {
        case .plain: ReservedNames.locals.contains(name) ? "self.\(name)" : name
        case .made(let name, _), .boxed(let name): name
        }
    }

    /// `Int32`, `Int32?`: the type of ``name``.
    var declaredType: String { isOptional ? type + "?" : type }

    /// `name: String? = nil` of an initializer; an empty collection is one to send.
    var parameter: String {
        if isCollection, !isOptional, !isMade { return "\(name): \(type) = []" }
        return isOptional || isMade ? "\(name): \(type)? = nil" : "\(name): \(type)"
    }

    /// The value that the structure has in OData; for what the service makes nil until then.
    var edm: String {
        switch storage {
        case .plain: isOptional ? isMade ? "\(stored)?.edm" : "\(stored)?.edm ?? .null" : "\(stored).edm"
        case .made: "\(stored)?.edm"
        case .boxed: "\(stored).first?.edm ?? .null"
        }
    }
}

extension EdmProperty {
    /// Whether the service gives the property a value if a client gives none.
    var isMade: Bool {
        isTagged(EdmAnnotation.computed) || isTagged(EdmAnnotation.computedDefaultValue) || defaultValue != nil
            || annotation(EdmAnnotation.sap("creatable"))?.isFalse == true || isReadOnly
    }

    /// Whether a client may read the property only: `Core.Permissions` with `Read` and nothing else.
    var isReadOnly: Bool {
        switch annotation("Org.OData.Core.V1.Permissions") {
        case .enumMember(_, let names): names == ["Read"]
        case .string(let text): text == "Read"
        default: false
        }
    }
}

extension EdmAnnotation.Value {
    fileprivate var isFalse: Bool { self == .bool(false) || self == .string("false") }
}
