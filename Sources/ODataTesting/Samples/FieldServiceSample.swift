import GRDB

/// The sample database of the demo: a field service with business partners, products, sales orders and items,
/// equipment, work orders, inspections and photos. It is generated in code and the same every time.
///
/// Publish it with the column `Content` of `Photos` as a media stream.
public enum FieldServiceSample {
    /// How many rows there are of each kind; less than the least counts as the least.
    public struct Size: Sendable {
        /// `BusinessPartners`, numbered from 100 on. At least 1, since orders and equipment refer to them.
        public var partners = 200
        /// `Products`, from `P-0001` on. At least 1, since the items of orders refer to them.
        public var products = 120
        /// `SalesOrders`, numbered from 1000 on; each has one to five items.
        public var orders = 600
        /// `Equipment`, with GUIDs as keys. At least 1, since work orders refer to it.
        public var equipment = 150
        /// `WorkOrders`, numbered from 5000 on. At least 1, since inspections refer to them.
        public var workOrders = 400
        /// `Inspections`, numbered from 7000 on. At least 1, since photos refer to them.
        public var inspections = 300
        /// `Photos`, numbered from 9000 on; each has a PNG as its content.
        public var photos = 60

        /// The sizes of the demo.
        public init() {}

        /// With at least one of each kind that others refer to.
        var fitting: Size {
            var size = self
            for kind in [\Size.partners, \.products, \.equipment, \.workOrders, \.inspections] {
                size[keyPath: kind] = max(size[keyPath: kind], 1)
            }
            size.orders = max(size.orders, 0)
            size.photos = max(size.photos, 0)
            return size
        }
    }

    /// Writes the sample into a new SQLite file.
    ///
    /// - Throws: `DatabaseError` if the file cannot be written.
    public static func create(at path: String, size: Size = Size()) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: schema)
            var writer = FieldServiceWriter(db: db, size: size.fitting)
            try writer.writeAll()
        }
        try queue.close()
    }

    static let schema = """
        CREATE TABLE BusinessPartners(
            BusinessPartnerID INTEGER PRIMARY KEY, Name VARCHAR(80) NOT NULL, City TEXT, Country VARCHAR(2),
            Email TEXT, CreditLimit DECIMAL(12,2), CreatedAt DATETIME);
        CREATE TABLE Products(
            ProductID VARCHAR(10) PRIMARY KEY, Name TEXT NOT NULL, Category TEXT, Price DECIMAL(10,2) NOT NULL,
            Weight REAL, Discontinued BOOLEAN NOT NULL DEFAULT 0);
        CREATE TABLE SalesOrders(
            SalesOrderID INTEGER PRIMARY KEY, BusinessPartnerID INTEGER NOT NULL REFERENCES BusinessPartners,
            OrderDate DATE NOT NULL, Status TEXT NOT NULL DEFAULT 'new', Note TEXT);
        CREATE TABLE SalesOrderItems(
            SalesOrderID INTEGER NOT NULL REFERENCES SalesOrders ON DELETE CASCADE, Position INTEGER NOT NULL,
            ProductID VARCHAR(10) NOT NULL REFERENCES Products, Quantity INTEGER NOT NULL CHECK (Quantity > 0),
            Price DECIMAL(10,2) NOT NULL, PRIMARY KEY (SalesOrderID, Position));
        CREATE TABLE Equipment(
            EquipmentID GUID PRIMARY KEY NOT NULL, Name TEXT NOT NULL,
            BusinessPartnerID INTEGER REFERENCES BusinessPartners, InstalledOn DATE,
            ParentID GUID REFERENCES Equipment(EquipmentID));
        CREATE TABLE WorkOrders(
            WorkOrderID INTEGER PRIMARY KEY, EquipmentID GUID NOT NULL REFERENCES Equipment(EquipmentID),
            Title TEXT NOT NULL, Priority INTEGER NOT NULL DEFAULT 3, State TEXT NOT NULL DEFAULT 'open',
            DueAt DATETIME, EstimatedHours DECIMAL(6,2));
        CREATE TABLE Inspections(
            InspectionID INTEGER PRIMARY KEY, WorkOrderID INTEGER NOT NULL REFERENCES WorkOrders ON DELETE CASCADE,
            InspectedAt DATETIME, Inspector TEXT, Result TEXT, Remarks TEXT);
        CREATE TABLE Photos(
            PhotoID INTEGER PRIMARY KEY, InspectionID INTEGER REFERENCES Inspections ON DELETE CASCADE, Caption TEXT,
            TakenAt DATETIME, Content BLOB);
        CREATE INDEX SalesOrdersByPartner ON SalesOrders(BusinessPartnerID);
        CREATE INDEX SalesOrderItemsByProduct ON SalesOrderItems(ProductID);
        CREATE INDEX WorkOrdersByEquipment ON WorkOrders(EquipmentID);
        CREATE INDEX InspectionsByWorkOrder ON Inspections(WorkOrderID);
        CREATE INDEX PhotosByInspection ON Photos(InspectionID);
        """
}
