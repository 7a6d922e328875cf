import ODataModel
import ODataQuery
import Testing

/// The raw values of geography and geometry. [OData-Protocol, section 11.2.4.1]
@Suite struct WellKnownTextTests {
    @Test(arguments: [
        ("GeographyPoint", #"{"type":"Point","coordinates":[142.1,64.1]}"#, "SRID=4326;Point(142.1 64.1)"),
        ("GeometryMultiPoint", #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#, "SRID=0;MultiPoint((1 2),(3 4))"),
        ("GeometryLineString", #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, "SRID=0;LineString(1 2,3 4)"),
        (
            "Geography",
            #"{"type":"Point","coordinates":[1,2],"crs":{"type":"name","properties":{"name":"EPSG:3857"}}}"#,
            "SRID=3857;Point(1 2)"
        ),
    ])
    func valuesAreWrittenAndRead(name: String, json: String, text: String) throws {
        let type = EdmTypeReference.primitive(try #require(EdmPrimitiveType(rawValue: name)))
        #expect(EdmValue.geo(json).wellKnownText(type) == text)
        #expect(EdmValue(wellKnownText: text, type: type) == .geo(json))
    }

    /// As other programs write them.
    @Test(arguments: [
        ("POINT (1 2)", "SRID=4326;Point(1 2)"), ("srid=4326; point( 1  2 )", "SRID=4326;Point(1 2)"),
        ("LINESTRING (1 2, 3.50 4)", "SRID=4326;LineString(1 2,3.5 4)"),
        ("POLYGON ((0 0, 1 0 , 1 1, 0 0))", "SRID=4326;Polygon((0 0,1 0,1 1,0 0))"),
        ("MULTIPOINT (1 2, (3 4))", "SRID=4326;MultiPoint((1 2),(3 4))"),
        ("Collection(Point(1 2))", "SRID=4326;GeometryCollection(Point(1 2))"),
        (
            "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOLYGON (((0 0,1 0,1 1,0 0))))",
            "SRID=4326;GeometryCollection(Point(1 2),MultiPolygon(((0 0,1 0,1 1,0 0))))"
        ),
    ])
    func otherFormsAreRead(text: String, written: String) {
        let type = EdmTypeReference.primitive(.geography)
        #expect(EdmValue(wellKnownText: text, type: type)?.wellKnownText(type) == written)
        #expect(GeoShape(text)?.wellKnownText == String(written.dropFirst(10)))
    }

    @Test(arguments: [
        "", "{", "{}", "Point(1)", "Point(1 2", "Point(1,2)", "Circle(1 2)", "Point 1 2", "LineString(1 2)",
        "SRID=;Point(1 2)", "Point(1e999 2)", #"{"type":"Point","coordinates":[1]}"#,
        String(repeating: "GeometryCollection(", count: 100_000),
    ])
    func whatIsNotAShapeIsNotRead(text: String) {
        #expect(GeoShape(text) == nil)
    }

    @Test(arguments: [
        ("GeographyPoint", "SRID=4326;Point(1 2"), ("GeographyPoint", "SRID=4326;LineString(1 2,3 4)"),
        ("GeographyPoint", "SRID=4326;Point(1 2) "), ("String", "SRID=4326;Point(1 2)"), ("GeographyPoint", ""),
    ])
    func whatIsNoneIsRefused(name: String, text: String) throws {
        let type = EdmTypeReference.primitive(try #require(EdmPrimitiveType(rawValue: name)))
        #expect(EdmValue(wellKnownText: text, type: type) == nil)
    }
}
