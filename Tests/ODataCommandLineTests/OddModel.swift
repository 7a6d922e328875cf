/// A model of names that mean something in Swift or in the library, and of structures that contain themselves.
enum OddModel {
    static let document = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Odd.Model" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Type">
        <Member Name="Init"/>
        <Member Name="self"/>
        <Member Name="RED_HOT"/>
        <Member Name="red_hot"/>
        <Member Name="TypeName"/>
        </EnumType>
        <EnumType Name="Rights" IsFlags="true">
        <Member Name="None" Value="0"/>
        <Member Name="Read" Value="1"/>
        <Member Name="Write" Value="2"/>
        <Member Name="Type" Value="4"/>
        <Member Name="UnknownMembers" Value="8"/>
        <Member Name="Members" Value="16"/>
        </EnumType>
        <EnumType Name="EmptyFlags" IsFlags="true"/>
        <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal"/>
        <ComplexType Name="Node">
        <Property Name="Parent" Type="Odd.Model.Node"/>
        <Property Name="Children" Type="Collection(Odd.Model.Node)" Nullable="false"/>
        <Property Name="Complex" Type="Edm.String"/>
        <Property Name="New" Type="Odd.Model.Node"/>
        <Property Name="Additional" Type="Edm.String"/>
        <Property Name="Nulls" Type="Collection(Odd.Model.Type)" Nullable="true"/>
        <Property Name="ResponsiblePersonFullNameX" Type="Odd.Model.ResponsiblePersonFullNameX"/>
        <Property Name="Other" Type="Odd.Model.Link" Nullable="false"/>
        </ComplexType>
        <ComplexType Name="Link">
        <Property Name="Node" Type="Odd.Model.Node"/>
        <Property Name="Path" Type="Edm.String"/>
        <NavigationProperty Name="To" Type="Odd.Model.Error"/>
        </ComplexType>
        <ComplexType Name="Nothing"/>
        <ComplexType Name="ResponsiblePersonFullNameX" Abstract="true" OpenType="true">
        <Property Name="ResponsiblePersonFullNameY" Type="Collection(Odd.Model.TypeOfResponsiblePersonsFullName)"/>
        </ComplexType>
        <EnumType Name="TypeOfResponsiblePersonsFullName">
        <Member Name="AResponsiblePersonWhoseFullNameIsKnown"/>
        <Member Name="NoTypeOfResponsiblePersonsFullName"/>
        <Member Name="AResponsiblePersonWhoseFullNameIsNotKnown"/>
        </EnumType>
        <ComplexType Name="String">
        <Property Name="Value" Type="Edm.String" Nullable="false"/>
        </ComplexType>
        <EntityType Name="Error" OpenType="true"><Key>
        <PropertyRef Name="Key"/></Key>
        <Property Name="Key" Type="Edm.TimeOfDay" Nullable="false"/>
        <Property Name="Index" Type="Edm.Int32"/>
        <Property Name="index" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Row" Type="Edm.Int32" Nullable="false"/>
        <Property Name="New" Type="Edm.Int32" Nullable="false" DefaultValue="1"/>
        <Property Name="Price" Type="Edm.Decimal" Nullable="false" DefaultValue="1.5"/>
        <Property Name="Since" Type="Edm.Date" Nullable="false" DefaultValue="2024-01-31"/>
        <Property Name="Until" Type="Edm.Date" Nullable="false" DefaultValue="never"/>
        <Property Name="State" Type="Odd.Model.Type" Nullable="false" DefaultValue="RED_HOT"/>
        <Property Name="Quote" Type="Edm.String" Nullable="false" DefaultValue="a &quot;b&quot; ?? \(c)"/>
        <Property Name="Id" Type="Edm.String"/>
        <Property Name="As" Type="Edm.String"/>
        <Property Name="Additional" Type="Edm.String"/>
        <Property Name="Nulls" Type="Collection(Edm.String)" Nullable="true"/>
        <Property Name="NullBytes" Type="Collection(Edm.Byte)" Nullable="true"/>
        <Property Name="Relations" Type="Odd.Model.Link"/>
        <Property Name="Origin" Type="Edm.String"/>
        <Property Name="Original" Type="Edm.String"/>
        <Property Name="class" Type="Edm.String"/>
        <Property Name="Self" Type="Edm.String"/>
        <Property Name="Init" Type="Edm.String" Nullable="false"/>
        <Property Name="URLPath" Type="Edm.String" Nullable="false"/>
        <Property Name="IDs" Type="Collection(Edm.Int64)"/>
        <Property Name="3D" Type="Edm.Boolean"/>
        <Property Name="Größe" Type="Odd.Model.Weight"/>
        <Property Name="KeyValue" Type="Edm.String"/>
        <Property Name="TypeName" Type="Edm.String"/>
        <Property Name="Geo" Type="Edm.GeographyPoint"/>
        <Property Name="Any" Type="Edm.Untyped"/>
        <Property Name="Any2" Type="Edm.PrimitiveType"/>
        <Property Name="Photo" Type="Edm.Stream"/>
        <Property Name="Type" Type="Odd.Model.Type" Nullable="false"/>
        <Property Name="Rights" Type="Odd.Model.Rights" DefaultValue="Read" Nullable="false"/>
        <Property Name="Node" Type="Odd.Model.Node" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Computed"/>
        </Property>
        <Property Name="Names" Type="Collection(Odd.Model.String)"/>
        <Property Name="Changed" Type="Edm.DateTimeOffset" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Computed"/>
        <Annotation Term="Org.OData.Core.V1.Description" String="When it&#xA;was */ changed \(x)"/>
        </Property>
        <Property Name="Bytes" Type="Edm.Binary" MaxLength="7"/>
        <Property Name="All" Type="Collection(Edm.Binary)"/>
        <NavigationProperty Name="Related" Type="Collection(Odd.Model.Error)"/>
        <NavigationProperty Name="default" Type="Odd.Model.Error"/>
        <NavigationProperty Name="Entity" Type="Odd.Model.Entity"/>
        <NavigationProperty Name="in" Type="Collection(Odd.Model.Error)"/>
        </EntityType>
        <EntityType Name="Entity" Abstract="true"/>
        <EntityType Name="value" BaseType="Odd.Model.Entity"><Key>
        <PropertyRef Name="A"/>
        <PropertyRef Name="in"/>
        <PropertyRef Name="When"/></Key>
        <Property Name="A" Type="Odd.Model.Type" Nullable="false"/>
        <Property Name="in" Type="Odd.Model.Rights" Nullable="false"/>
        <Property Name="When" Type="Edm.DateTimeOffset" Nullable="false"/>
        </EntityType>
        <EntityType Name="VALUE" BaseType="Odd.Model.value">
        <Property Name="A-B" Type="Edm.Guid"/>
        </EntityType>
        <EntityType Name="ID"><Key>
        <PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.TimeOfDay" Nullable="false"/>
        <NavigationProperty Name="isNull" Type="Odd.Model.ID"/>
        </EntityType>
        <EntityType Name="Operand"><Key>
        <PropertyRef Name="Node/Path" Alias="P"/></Key>
        <Property Name="Node" Type="Odd.Model.Link" Nullable="false"/>
        </EntityType>
        <Action Name="Find" IsBound="true">
        <Parameter Name="it" Type="Odd.Model.Entity"/>
        <Parameter Name="arguments" Type="Collection(Odd.Model.Error)"/>
        <Parameter Name="result" Type="Odd.Model.Error"/>
        <ReturnType Type="Collection(Odd.Model.Error)"/>
        </Action>
        <Action Name="Find" IsBound="true">
        <Parameter Name="it" Type="Odd.Model.value"/>
        <Parameter Name="arguments" Type="Collection(Odd.Model.Error)"/>
        <Parameter Name="result" Type="Odd.Model.Error"/>
        <ReturnType Type="Collection(Odd.Model.Error)"/>
        </Action>
        <Action Name="Delete" IsBound="true">
        <Parameter Name="it" Type="Odd.Model.value"/>
        <ReturnType Type="Edm.Int32"/>
        </Action>
        <Function Name="Best" IsBound="true">
        <Parameter Name="many" Type="Collection(Odd.Model.Error)"/>
        <Parameter Name="Collections" Type="Collection(Edm.String)" Nullable="false"/>
        <Parameter Name="note" Type="Edm.String">
        <Annotation Term="Org.OData.Core.V1.OptionalParameter"/></Parameter>
        <Parameter Name="Nullable" Type="Odd.Model.Node"/>
        <Parameter Name="ParameterThatFillsTheLine" Type="Odd.Model.Node"/>
        <ReturnType Type="Collection(Odd.Model.Node)"/>
        </Function>
        <Function Name="Best">
        <ReturnType Type="Collection(Odd.Model.Error)"/>
        </Function>
        <Function Name="Best">
        <Parameter Name="a" Type="Edm.Int32" Nullable="false"/>
        <ReturnType Type="Odd.Model.Rights"/>
        </Function>
        <Function Name="Best">
        <Parameter Name="A" Type="Edm.Int32" Nullable="false"/>
        <ReturnType Type="Odd.Model.Error" Nullable="false"/>
        </Function>
        <Action Name="errors"/>
        <EntityContainer Name="Container">
        <EntitySet Name="Errors" EntityType="Odd.Model.Error"/>
        <EntitySet Name="Collections" EntityType="Odd.Model.value"/>
        <EntitySet Name="init" EntityType="Odd.Model.VALUE"/>
        <Singleton Name="Me" Type="Odd.Model.Error" Nullable="true"/>
        <Singleton Name="Top" Type="Odd.Model.Entity"/>
        <FunctionImport Name="Best" Function="Odd.Model.Best"/>
        <ActionImport Name="errors" Action="Odd.Model.errors"/>
        </EntityContainer>
        </Schema>
        <Schema Namespace="Odd.Other" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Error"><Key>
        <PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        </EntityType>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#
}
