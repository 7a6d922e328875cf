import ODataModel
import ODataQuery
import ODataSQLite

extension ComplianceSample {
    /// The facts of one product.
    struct ProductFacts {
        var number: Int
        var name: String
        var price: Double
        var category: String
        /// Members of the flags.
        var status: String
        var createdAt: String
        var rating: Int64 = 0
        var temperature: Int64 = 0
        var quantity: Int64 = 0
        var weight: Double = 0
        /// Release, opening, shipping, processing, offset.
        var times: [String]?
        var data: [UInt8]?
        /// Property and feature of a special product.
        var special: (String, String)?
        /// Street, city, state, postal code.
        var address: [String]?
        /// In centimetres.
        var dimensions: [Double]?
        /// Longitude and latitude of the place and of the end of the route.
        var places: [(Double, Double)]?
        /// West, south, east, north.
        var area: [Double]?
        /// The numbers of related products.
        var related: [Int] = []
    }

    static let products = [
        ProductFacts(
            number: 1, name: "Laptop", price: 999.99, category: "Electronics", status: "InStock,Featured",
            createdAt: "2024-01-15T10:30:00Z", rating: 200, temperature: -10, quantity: 1200, weight: 3.14,
            times: ["2024-01-15", "09:30:00", "P1D", "PT45S", "PT0S"], data: Array("test".utf8),
            special: ("Extended warranty included", "Premium support"),
            address: ["123 Tech Way", "Seattle", "WA", "98101"], dimensions: [35.5, 25, 2.5],
            places: [(-122.3321, 47.6062), (-122.4194, 47.2529)], area: [-122.5, 47.5, -122.0, 47.8], related: [2, 6]),
        ProductFacts(
            number: 2, name: "Wireless Mouse", price: 29.99, category: "Electronics", status: "InStock,OnSale",
            createdAt: "2024-03-20T14:45:00Z", rating: 110, temperature: 5, quantity: 300, weight: 0.09,
            times: ["2024-01-20", "08:15:00", "PT2H", "PT1.5S", "-P1D"], data: [1, 2, 3],
            address: ["456 Innovation Blvd", "San Francisco", "CA", "94102"], dimensions: [10, 6, 4],
            places: [(-122.4194, 37.7749), (-122.2711, 37.8044)], area: [-122.5, 37.7, -122.3, 37.9], related: [1, 7]),
        ProductFacts(
            number: 3, name: "Coffee Mug", price: 15.5, category: "Kitchen", status: "InStock",
            createdAt: "2023-11-05T09:15:00Z", temperature: -5, quantity: -200,
            times: ["2024-01-01", "00:00:00", "P2D", "PT30M", "PT0S"], data: [],
            address: ["789 Home St", "Portland", "OR", "97201"], dimensions: [8, 8, 10],
            places: [(-122.6765, 45.5231), (-122.6587, 45.5152)], area: [-122.8, 45.4, -122.5, 45.7]),
        ProductFacts(
            number: 4, name: "Office Chair", price: 249.99, category: "Furniture", status: "Discontinued",
            createdAt: "2023-08-12T16:20:00Z", rating: 255, temperature: 127, quantity: 32_767, weight: 150,
            times: ["2024-12-31", "23:59:59", "P1DT2H30M", "PT45S", "PT0S"]),
        ProductFacts(
            number: 5, name: "Smartphone", price: 799.99, category: "Electronics", status: "InStock,OnSale,Featured",
            createdAt: "2024-06-28T11:00:00Z", address: ["321 Mobile Ave", "Austin", "TX", "78701"],
            dimensions: [15, 7.5, 0.8], places: [(-97.7431, 30.2672), (-97.7426, 30.2849)],
            area: [-98.0, 30.1, -97.5, 30.5], related: [1]),
        ProductFacts(
            number: 6, name: "Premium Laptop Pro", price: 1999.99, category: "Electronics", status: "InStock,Featured",
            createdAt: "2024-07-01T10:00:00Z", special: ("Extended 5-year warranty", "Premium support package"),
            address: ["999 Premium Way", "New York", "NY", "10001"], dimensions: [40, 28, 2],
            places: [(-74.0060, 40.7128), (-73.9352, 40.7306)], area: [-74.1, 40.6, -73.8, 40.9], related: [1, 7]),
        ProductFacts(
            number: 7, name: "Gaming Mouse Ultra", price: 149.99, category: "Electronics", status: "InStock,OnSale",
            createdAt: "2024-07-15T14:30:00Z",
            special: ("RGB lighting with 16 million colors", "Customizable DPI settings"),
            address: ["888 Gaming Blvd", "Los Angeles", "CA", "90001"], dimensions: [12.5, 7.5, 4.5],
            places: [(-118.2437, 34.0522), (-118.3687, 34.1016)], area: [-118.5, 33.9, -118.0, 34.3], related: [2, 6]),
    ]
}

extension ComplianceSample.ProductFacts {
    var entity: StoredEntity {
        var values: EdmComplexValue = [
            "ID": ComplianceSample.id(of: "product", number), "Name": .string(name), "Description": .null,
            "Price": .double(price), "Rating": .integer(rating), "Temperature": .integer(temperature),
            "Quantity": .integer(quantity), "Weight": .double(weight), "Data": data.map(EdmValue.binary) ?? .null,
            "CategoryID": ComplianceSample.category(named: category), "Status": .string(status),
            "Version": .integer(1), "CreatedAt": ComplianceSample.value(createdAt, .dateTimeOffset),
            "SerialNumber": .null, "ProductType": .string(special == nil ? "Product" : "SpecialProduct"),
        ]
        let names = ["ReleaseDate", "OpenTime", "ShippingTime", "ProcessingTime", "Offset"]
        let types: [EdmPrimitiveType] = [.date, .timeOfDay, .duration, .duration, .duration]
        for (name, pair) in zip(names, zip(times ?? [], types)) {
            values[name] = ComplianceSample.value(pair.0, pair.1)
        }
        values["ShippingAddress"] = addressValue
        values["Dimensions"] = dimensionsValue
        values["Location"] = places?.first.map { .geo(#"{"type":"Point","coordinates":\#(text($0))}"#) }
        values["Route"] = places.map { .geo(#"{"type":"LineString","coordinates":\#(text($0))}"#) }
        values["Area"] = ring.map { .geo(#"{"type":"Polygon","coordinates":[\#(text($0))]}"#) }
        if let special {
            values["SpecialProperty"] = .string(special.0)
            values["SpecialFeature"] = .string(special.1)
        }
        var payload = EntityPayload(values)
        if special != nil { payload.type = EdmQualifiedName("ComplianceService.SpecialProduct") }
        payload.bindings = [
            .init(
                navigation: "RelatedProducts",
                references: related.map { .url("Products(\(ComplianceSample.id(of: "product", $0).lexical))") })
        ]
        let picture = SamplePicture(seed: UInt64(number), side: 24).png
        return StoredEntity("Products", payload, streams: ["Photo": .init(picture, contentType: "image/png")])
    }

    private var addressValue: EdmValue? {
        guard let address else { return nil }
        let names = ["Street", "City", "State", "PostalCode", "Country"]
        return .complex(EdmComplexValue(zip(names, address + ["USA"]).map { .init(name: $0, value: .string($1)) }))
    }

    private var dimensionsValue: EdmValue? {
        guard let dimensions else { return nil }
        let lengths = zip(["Length", "Width", "Height"], dimensions).map {
            EdmComplexValue.Member(name: $0, value: .double($1))
        }
        return .complex(EdmComplexValue(lengths + [.init(name: "Unit", value: .string("cm"))]))
    }

    private var ring: [(Double, Double)]? {
        guard let area, area.count == 4 else { return nil }
        let (west, south, east, north) = (area[0], area[1], area[2], area[3])
        return [(west, south), (east, south), (east, north), (west, north), (west, south)]
    }

    private func text(_ point: (Double, Double)) -> String { "[\(point.0),\(point.1)]" }

    private func text(_ points: [(Double, Double)]) -> String { "[\(points.map { text($0) }.joined(separator: ","))]" }
}
