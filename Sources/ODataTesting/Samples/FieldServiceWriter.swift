import Foundation
import GRDB
import ODataModel

/// Fills the tables of ``FieldServiceSample``.
struct FieldServiceWriter {
    private static let cities = [
        ("Walldorf", "DE"), ("Bergen", "NO"), ("Turku", "FI"), ("Łódź", "PL"), ("Lyon", "FR"), ("Cork", "IE"),
        ("Porto", "PT"), ("Zürich", "CH"),
    ]
    private static let trades = ["Foods", "Marine", "Energy", "Paper", "Optics", "Rail"]
    private static let families = ["Amber", "Birch", "Cedar", "Delta", "Ember", "Fjord", "Granite", "Harbour"]
    private static let categories = ["Pump", "Valve", "Filter", "Sensor", "Seal", "Motor"]
    private static let tasks = ["Check pressure", "Replace seal", "Lubricate", "Calibrate", "Inspect welds"]
    private static let inspectors = ["Aino", "Bjørn", "Chidi", "Dagny", "Édith"]

    let db: Database
    let size: FieldServiceSample.Size
    private var random = SplitMix(seed: 20_240_229)
    private var equipment: [String] = []

    init(db: Database, size: FieldServiceSample.Size) {
        self.db = db
        self.size = size
    }

    mutating func writeAll() throws {
        try writePartners()
        try writeProducts()
        try writeOrders()
        try writeEquipment()
        try writeWorkOrders()
        try writeInspections()
        try writePhotos()
    }

    private mutating func writePartners() throws {
        for id in 0..<size.partners {
            let city = random.element(of: Self.cities)
            let name = "\(random.element(of: Self.families)) \(random.element(of: Self.trades)) \(id + 1)"
            let email: String? = id % 7 == 0 ? nil : "office\(id + 1)@example.org"
            try db.execute(
                sql: "INSERT INTO BusinessPartners VALUES (?,?,?,?,?,?,?)",
                arguments: [
                    100 + id, name, city.0, city.1, email, Double(random.number(below: 5_000_000)) / 100, instant(),
                ])
        }
    }

    private mutating func writeProducts() throws {
        for id in 0..<size.products {
            let category = random.element(of: Self.categories)
            try db.execute(
                sql: "INSERT INTO Products VALUES (?,?,?,?,?,?)",
                arguments: [
                    productID(id), "\(category) \(random.element(of: Self.families)) \(id + 1)", category,
                    Double(random.number(below: 200_000) + 99) / 100, Double(random.number(below: 4000)) / 16,
                    id % 11 == 0,
                ])
        }
    }

    private mutating func writeOrders() throws {
        for id in 0..<size.orders {
            try db.execute(
                sql: "INSERT INTO SalesOrders VALUES (?,?,?,?,?)",
                arguments: [
                    1000 + id, 100 + random.number(below: size.partners), date(),
                    random.element(of: ["new", "confirmed", "shipped", "closed"]),
                    id % 5 == 0 ? "Deliver to gate \(id % 9 + 1)" : nil,
                ])
            for position in 1...(1 + random.number(below: 5)) {
                try db.execute(
                    sql: "INSERT INTO SalesOrderItems VALUES (?,?,?,?,?)",
                    arguments: [
                        1000 + id, position * 10, productID(random.number(below: size.products)),
                        1 + random.number(below: 20), Double(random.number(below: 200_000) + 99) / 100,
                    ])
            }
        }
    }

    private mutating func writeEquipment() throws {
        for id in 0..<size.equipment {
            equipment.append(EdmGuid.random(using: &random).description)
            let parent: String? = id % 4 == 0 ? nil : equipment[random.number(below: id)]
            try db.execute(
                sql: "INSERT INTO Equipment VALUES (?,?,?,?,?)",
                arguments: [
                    equipment[id], "\(random.element(of: Self.categories)) station \(id + 1)",
                    100 + random.number(below: size.partners), date(), parent,
                ])
        }
    }

    private mutating func writeWorkOrders() throws {
        for id in 0..<size.workOrders {
            try db.execute(
                sql: "INSERT INTO WorkOrders VALUES (?,?,?,?,?,?,?)",
                arguments: [
                    5000 + id, random.element(of: equipment), random.element(of: Self.tasks),
                    1 + random.number(below: 5), random.element(of: ["open", "started", "done"]), instant(),
                    Double(random.number(below: 160)) / 4,
                ])
        }
    }

    private mutating func writeInspections() throws {
        for id in 0..<size.inspections {
            try db.execute(
                sql: "INSERT INTO Inspections VALUES (?,?,?,?,?,?)",
                arguments: [
                    7000 + id, 5000 + random.number(below: size.workOrders), instant(),
                    random.element(of: Self.inspectors), random.element(of: ["passed", "passed", "failed"]),
                    id % 3 == 0 ? "Small leak at flange \(id % 6 + 1)" : nil,
                ])
        }
    }

    private mutating func writePhotos() throws {
        for id in 0..<size.photos {
            try db.execute(
                sql: "INSERT INTO Photos VALUES (?,?,?,?,?)",
                arguments: [
                    9000 + id, 7000 + random.number(below: size.inspections), "View \(id + 1)", instant(),
                    Data(SamplePicture(seed: UInt64(id)).png),
                ])
        }
    }

    private func productID(_ number: Int) -> String { "P-\(padded(number + 1, to: 4))" }

    private mutating func date() -> String {
        EdmDate(daysSinceEpoch: 19_000 + random.number(below: 900)).description
    }

    private mutating func instant() -> String {
        let value = EdmDateTimeOffset(secondsSinceEpoch: 1_640_000_000 + Int64(random.number(below: 80_000_000)))
        return "\(value.date) \(value.time)"
    }
}
