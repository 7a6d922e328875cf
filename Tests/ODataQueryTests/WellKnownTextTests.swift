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

    @Test(arguments: [
        ("GeographyPoint", "SRID=4326;Point(1 2"), ("GeographyPoint", "SRID=4326;LineString(1 2,3 4)"),
        ("GeographyPoint", "SRID=4326;Point(1 2) "), ("String", "SRID=4326;Point(1 2)"), ("GeographyPoint", ""),
    ])
    func whatIsNoneIsRefused(name: String, text: String) throws {
        let type = EdmTypeReference.primitive(try #require(EdmPrimitiveType(rawValue: name)))
        #expect(EdmValue(wellKnownText: text, type: type) == nil)
    }
}
