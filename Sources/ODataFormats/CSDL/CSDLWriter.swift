import ODataModel

/// Writes a model as CSDL XML, an element per line.
struct CSDLWriter {
    private(set) var text = ""
    private var depth = 0

    mutating func write(_ model: Model) {
        text = #"<?xml version="1.0" encoding="utf-8"?>"# + "\n"
        let namespace = "http://docs.oasis-open.org/odata/ns/edmx"
        element("edmx:Edmx", [("xmlns:edmx", namespace), ("Version", "4.01")]) { writer in
            for vocabulary in Vocabulary.used(by: model) {
                writer.element("edmx:Reference", [("Uri", vocabulary.url)]) { writer in
                    writer.element("edmx:Include", [("Namespace", vocabulary.namespace)])
                }
            }
            writer.element("edmx:DataServices") { writer in
                for schema in model.schemas { writer.write(schema) }
            }
        }
    }

    /// Writes `<name a="b"/>`, or with content `<name a="b">` … `</name>`. Attributes that are nil are left out.
    mutating func element(
        _ name: String, _ attributes: [(String, String?)] = [], content: ((inout CSDLWriter) -> Void)? = nil
    ) {
        text += String(repeating: "  ", count: depth) + "<\(name)"
        for case (let name, let value?) in attributes { text += " \(name)=\"\(XMLTree.escaped(value))\"" }
        guard let content else {
            text += "/>\n"
            return
        }
        text += ">\n"
        depth += 1
        content(&self)
        depth -= 1
        text += String(repeating: "  ", count: depth) + "</\(name)>\n"
    }

    /// Writes text that is XML already, on a line of its own.
    mutating func raw(_ xml: String) { text += String(repeating: "  ", count: depth) + xml + "\n" }

    private mutating func write(_ schema: Schema) {
        let attributes = [
            ("xmlns", "http://docs.oasis-open.org/odata/ns/edm"), ("Namespace", schema.namespace),
            ("Alias", schema.alias),
        ]
        element("Schema", attributes) { writer in
            for type in schema.enumTypes { writer.write(type) }
            for type in schema.types { writer.write(type) }
            guard let container = schema.container else { return }
            writer.element("EntityContainer", [("Name", container)]) { writer in
                for set in schema.entitySets { writer.write(set) }
            }
        }
    }

    private mutating func write(_ type: EnumType) {
        let underlying = type.underlyingType == .int32 ? nil : "Edm.\(type.underlyingType.rawValue)"
        let attributes = [
            ("Name", type.name.name), ("UnderlyingType", underlying), ("IsFlags", type.isFlags ? "true" : nil),
        ]
        element("EnumType", attributes) { writer in
            for member in type.members {
                writer.element("Member", [("Name", member.name), ("Value", "\(member.value)")])
            }
        }
    }

    private mutating func write(_ set: EntitySetDeclaration) {
        let name = set.kind == .singleton ? "Singleton" : "EntitySet"
        let attributes: [(String, String?)] = [
            ("Name", set.name), (set.kind == .singleton ? "Type" : "EntityType", "\(set.type)"),
        ]
        guard !set.bindings.isEmpty || !set.annotations.isEmpty else { return element(name, attributes) }
        element(name, attributes) { writer in
            for (path, target) in set.bindings.sorted(by: { $0.key < $1.key }) {
                writer.element("NavigationPropertyBinding", [("Path", path), ("Target", target)])
            }
            writer.write(set.annotations)
        }
    }
}
