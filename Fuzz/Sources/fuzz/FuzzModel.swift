import ODataMetadata
import ODataModel

/// A model with a property of every kind, derived and open types, and relations.
enum FuzzModel {
    private static let primitives = [
        "String", "Boolean", "Byte", "SByte", "Int16", "Int32", "Int64", "Single", "Double", "Decimal", "Guid", "Date",
        "DateTimeOffset", "TimeOfDay", "Duration", "Binary", "GeographyPoint", "GeometryPolygon", "Untyped", "Stream",
    ]

    private static var xml: String {
        let properties = primitives.map { #"<Property Name="P\#($0)" Type="Edm.\#($0)"/>"# }.joined()
        return #"""
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="F" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EnumType Name="Color" IsFlags="true"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
            <ComplexType Name="Place" OpenType="true"><Property Name="City" Type="Edm.String"/>
            <Property Name="Inner" Type="F.Place"/></ComplexType>
            <EntityType Name="Thing" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\#(properties)
            <Property Name="Color" Type="F.Color"/><Property Name="Place" Type="F.Place"/>
            <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Places" Type="Collection(F.Place)"/>
            <NavigationProperty Name="Parent" Type="F.Thing"/>
            <NavigationProperty Name="Parts" Type="Collection(F.Thing)"/></EntityType>
            <EntityType Name="Open" BaseType="F.Thing" OpenType="true"><Property Name="Extra" Type="Edm.Int64"/></EntityType>
            <Function Name="Best" IsBound="true" IsComposable="true"><Parameter Name="b" Type="Collection(F.Thing)"/>
            <Parameter Name="n" Type="Edm.Int32"/><ReturnType Type="Collection(F.Thing)"/></Function>
            <EntityContainer Name="C"><EntitySet Name="Things" EntityType="F.Thing">
            <NavigationPropertyBinding Path="Parent" Target="Things"/><NavigationPropertyBinding Path="Parts" Target="Things"/>
            </EntitySet><Singleton Name="Me" Type="F.Open"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """#
    }

    static let model: EdmModel = {
        guard let document = try? CSDL.document(Array(xml.utf8)) else { preconditionFailure("The model is broken.") }
        return document.model
    }()

    /// Things of both types with their dynamic properties, parts and parents.
    static let shape: RowShape = {
        guard let set = model.entitySet(named: "Things") else { preconditionFailure("The set is missing.") }
        let children = set.type.navigationProperties.map {
            RowShape.Child(navigation: $0, shape: shape(set: set, children: []))
        }
        return shape(set: set, children: children)
    }()

    private static func shape(set: EdmEntitySet, children: [RowShape.Child]) -> RowShape {
        let types = [set.type] + model.derivedTypes(of: set.type)
        var names: Set<String> = []
        let properties = types.flatMap(\.properties).filter { !$0.isStream && names.insert($0.name).inserted }
        return RowShape(
            model: model, entitySet: set, type: set.type,
            properties: properties + [EdmProperty(name: "", type: .primitive(.untyped))], hiddenFrom: properties.count,
            children: children, types: types, dynamicSlot: properties.count)
    }
}
