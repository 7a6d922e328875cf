import ODataModel

/// The Swift types of a model. The same names whatever is chosen of it.
struct TypeNames {
    let model: EdmModel
    let service: String
    private var names: [EdmQualifiedName: String] = [:]

    /// - Parameter prefix: Of all names: two models with types of the same names have room in one module.
    init(_ model: EdmModel, prefix: String = "") {
        self.model = model
        let reserved = ReservedNames.swiftTypes.union(ReservedNames.libraryTypes)
        var scope = NameScope(reserved: reserved, suffix: "Type", ignoresCase: true)
        for schema in model.schemas {
            for type in schema.types where names[type.name] == nil {
                names[type.name] = scope.name(
                    prefix + SwiftName.type(of: type.name.name), suffix: type.kind == .entity ? "Entity" : "Value")
            }
            for type in schema.enumTypes where names[type.name] == nil {
                names[type.name] = scope.name(prefix + SwiftName.type(of: type.name.name), suffix: "Value")
            }
        }
        service = scope.name(prefix + Self.service(model))
    }

    /// The name of the structure for a declared type.
    subscript(name: EdmQualifiedName) -> String { SwiftName.escaped(names[name] ?? "EdmValue") }

    /// The Swift type of a value that is not null: `Int32`, `[Address]`.
    func swiftType(_ type: EdmTypeReference) -> String {
        switch type {
        case .primitive(let type): type.swiftType
        case .enumeration(let name): model.enumType(named: name) == nil ? "EdmValue" : self[name]
        case .complex(let name), .entity(let name): model.structuredType(named: name) == nil ? "EdmValue" : self[name]
        // An array of `UInt8` is `Edm.Binary`.
        case .collection(.primitive(.byte)): "[EdmValue]"
        case .collection(let element): "[\(swiftType(element))]"
        }
    }

    /// The same for a property: `[String?]` where the metadata say that a collection may have null among its values.
    func swiftType(_ property: EdmProperty) -> String {
        guard property.hasNullMembers, case .collection(let element) = property.type else {
            return swiftType(property.type)
        }
        // `Value` has null itself.
        let type = swiftType(element)
        return element == .primitive(.byte) || type == "EdmValue" ? "[EdmValue]" : "[\(type)?]"
    }

    /// What a property has until the service gives it a value; nil where no value stands for none.
    func placeholder(_ property: EdmProperty) -> String? {
        guard let standard = placeholder(property.type) else { return nil }
        guard let value = property.declaredDefault, let text = property.defaultValue else { return standard }
        switch value {
        case .string: return SwiftName.literal(text)
        case .boolean, .integer: return text
        case .double(let number): return number.isFinite ? "\(number)" : standard
        case .decimal, .date, .dateTimeOffset, .duration, .guid:
            return "\(swiftType(property.type))(\(SwiftName.literal(text))) ?? \(standard)"
        case .enumeration(let name, _):
            return model.enumType(named: name).flatMap { self.value(text, of: $0) } ?? standard
        default: return standard
        }
    }

    /// `Color(rawValue: "Red")`, `Rights(rawValue: 3)`
    private func value(_ text: String, of type: EdmEnumType) -> String? {
        guard let number = type.number(of: text) else { return nil }
        let value = type.isFlags ? "\(number)" : SwiftName.literal(type.text(of: number))
        return "\(self[type.name])(rawValue: \(value))"
    }

    private func placeholder(_ type: EdmTypeReference) -> String? {
        switch type {
        case .primitive(let type): type.placeholder
        case .enumeration(let name):
            model.enumType(named: name).map { $0.isFlags ? "[]" : "\(self[name])(rawValue: \"\")" }
        case .collection: "[]"
        case .complex, .entity: nil
        }
    }

    /// `Shop.Models` → `ShopService`: the last part of the namespace that says something.
    private static func service(_ model: EdmModel) -> String {
        let empty: Set<String> = ["model", "models", "default", "data", "entities", "service", "srv", "odata"]
        let parts = model.namespace.split(separator: ".").map(String.init)
        let part = parts.last { !empty.contains($0.lowercased()) } ?? parts.last ?? ""
        var name = SwiftName.composed(of: part.isEmpty ? "OData" : part)
        for ending in ["Service", "Srv"] where name.hasSuffix(ending) && name != ending {
            name.removeLast(ending.count)
        }
        return name + "Service"
    }
}

extension EdmPrimitiveType {
    fileprivate var swiftType: String {
        switch self {
        case .binary: "[UInt8]"
        case .boolean: "Bool"
        case .byte: "UInt8"
        case .sByte: "Int8"
        case .int16, .int32, .int64, .double, .string: rawValue
        case .single: "Float"
        case .date, .dateTimeOffset, .decimal, .duration, .guid, .timeOfDay: "Edm\(rawValue)"
        case .stream, .primitiveType, .untyped: "EdmValue"
        default: "EdmGeo"
        }
    }

    fileprivate var placeholder: String? {
        switch self {
        case .binary: "[]"
        case .boolean: "false"
        case .byte, .sByte, .int16, .int32, .int64, .decimal, .double, .single: "0"
        case .string: "\"\""
        case .date: "EdmDate(daysSinceEpoch: 0)"
        case .dateTimeOffset: "EdmDateTimeOffset(secondsSinceEpoch: 0)"
        case .duration: "EdmDuration(seconds: 0)"
        case .guid: "EdmGuid(high: 0, low: 0)"
        default: nil
        }
    }
}
