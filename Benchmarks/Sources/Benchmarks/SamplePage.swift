import Foundation
import OData

/// Products of 20 properties, always the same.
struct SamplePage {
    let entities: Int

    private static let properties: [(name: String, type: EdmPrimitiveType)] = [
        ("ID", .int32), ("Name", .string), ("Description", .string), ("Price", .decimal), ("Stock", .int64),
        ("Level", .int16), ("Weight", .double), ("Old", .boolean), ("Code", .guid), ("Changed", .dateTimeOffset),
        ("City", .string), ("Country", .string), ("CategoryID", .int32), ("SupplierID", .int32), ("Unit", .string),
        ("Discontinued", .boolean), ("Note", .string), ("Color", .string), ("Width", .double), ("Height", .double),
    ]

    static func model() throws -> EdmModel {
        let type = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.Product"), key: ["ID"],
            properties: properties.map { EdmProperty(name: $0.name, type: .primitive($0.type)) })
        let set = EdmEntitySetDeclaration(name: "Products", type: type.name)
        return try EdmModel(schemas: [
            EdmSchema(namespace: "Shop", types: [type], container: "Container", entitySets: [set])
        ])
    }

    /// A metadata document with as many types as asked for.
    static func metadata(types: Int) -> [UInt8] {
        let declarations = (0..<types).map { number in
            EdmStructuredTypeDeclaration(
                name: EdmQualifiedName("Shop.Type\(number)"), key: ["ID"],
                properties: properties.map { EdmProperty(name: $0.name, type: .primitive($0.type)) },
                navigationProperties: [
                    EdmNavigationProperty(
                        name: "Next", target: EdmQualifiedName("Shop.Type\((number + 1) % types)"), isCollection: false)
                ])
        }
        let sets = declarations.map { EdmEntitySetDeclaration(name: "\($0.name.name)s", type: $0.name) }
        let schema = EdmSchema(namespace: "Shop", types: declarations, container: "Container", entitySets: sets)
        return (try? CSDL.xml(EdmModel(schemas: [schema]))) ?? []
    }

    /// A metadata document of V2 as SAP Gateway writes them.
    static func gatewayMetadata(types: Int) -> [UInt8] {
        let sap = #"sap:creatable="false" sap:updatable="false" sap:sortable="true" sap:filterable="true""#
        let attributes = (1..<20).map { number in
            """
            <Property Name="Attribute\(number)" Type="Edm.String" MaxLength="40" \
            sap:label="Attribute \(number)" \(sap)/>
            """
        }
        let entityTypes = (0..<types).map { number in
            """
            <EntityType Name="Type\(number)" sap:label="Type &amp; \(number)" sap:content-version="1">
            <Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.String" Nullable="false" MaxLength="10"/>
            \(attributes.joined(separator: "\n"))
            <NavigationProperty Name="Next" Relationship="Shop.Next\(number)" FromRole="From" ToRole="To"/></EntityType>
            <Association Name="Next\(number)" sap:content-version="1"><End Type="Shop.Type\(number)" \
            Multiplicity="1" Role="From"/><End Type="Shop.Type\((number + 1) % types)" Multiplicity="0..1" Role="To"/>
            </Association>
            """
        }
        let sets = (0..<types).map { number in
            """
            <EntitySet Name="Types\(number)" EntityType="Shop.Type\(number)" \(sap)/>
            <AssociationSet Name="NextSet\(number)" Association="Shop.Next\(number)"><End \
            EntitySet="Types\(number)" Role="From"/><End EntitySet="Types\((number + 1) % types)" Role="To"/>
            </AssociationSet>
            """
        }
        let text = """
            <?xml version="1.0" encoding="utf-8"?>
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" \
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
            xmlns:sap="http://www.sap.com/Protocols/SAPData"><edmx:DataServices m:DataServiceVersion="2.0">
            <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" sap:schema-version="1">
            \(entityTypes.joined(separator: "\n"))
            <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
            \(sets.joined(separator: "\n"))
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
        return Array(text.utf8)
    }

    /// The values of an entity as JSON text; strings have their quotes.
    private func values(_ id: Int) -> [String] {
        [
            "\(id)", "\"Product number \(id) of the catalogue\"",
            "\"A description of some words, about as long as such texts are: \(id * 7919 % 1000)\"",
            "\(id * 37 % 1000).\(10 + id % 90)", "\(id * 104_729 % 1_000_000)", "\(id % 300)",
            "\(Double(id % 977) / 8)",
            "\(id % 3 == 0)", "\"01234567-89ab-cdef-0123-\(String(format: "%012x", id))\"",
            "\"2024-02-29T12:\(String(format: "%02d", id % 60)):00.5Z\"", "\"City \(id % 50)\"", "\"Germany\"",
            "\(id % 8)", "\(id % 29)", "\"10 boxes x 20 bags\"", "\(id % 9 == 0)",
            id % 4 == 0 ? "null" : "\"some note\"",
            "\"Red\"", "\(id % 100).25", "\(id % 77).5",
        ]
    }

    var json: String {
        let rows = (0..<entities).map { id in
            let members = zip(Self.properties, values(id)).map { "\"\($0.name)\":\($1)" }
            return "{\"@odata.etag\":\"W/\\\"\(id)\\\"\",\(members.joined(separator: ","))}"
        }
        return #"{"@odata.context":"http://h/$metadata#Products","value":[\#(rows.joined(separator: ","))]}"#
    }

    var atom: String {
        let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
        let entries = (0..<entities).map { id in
            let members = zip(Self.properties, values(id)).map { property, value in
                if value == "null" { return "<d:\(property.name) m:null=\"true\"/>" }
                let type = property.type == .string ? "" : " m:type=\"Edm.\(property.type.rawValue)\""
                let text = value.replacingOccurrences(of: "\"", with: "")
                return "<d:\(property.name)\(type)>\(text)</d:\(property.name)>"
            }
            return """
                <entry m:etag="W/&quot;\(id)&quot;"><id>http://h/Products(\(id))</id><title/>\
                <updated>2024-01-01T00:00:00Z</updated><author><name/></author>\
                <link rel="edit" title="Product" href="Products(\(id))"/><category term="Shop.Product" \
                scheme="\(data)/scheme"/><content type="application/xml"><m:properties>\(members.joined())\
                </m:properties></content></entry>
                """
        }
        return """
            <?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="\(data)" \
            xmlns:m="\(data)/metadata" xml:base="http://h/"><title>Products</title><id>http://h/Products</id>\
            <updated>2024-01-01T00:00:00Z</updated>\(entries.joined())</feed>
            """
    }

}
