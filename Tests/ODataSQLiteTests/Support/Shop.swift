/// A small database with most of what a table can have.
enum Shop {
    static let sql = """
        CREATE TABLE Category(CategoryID INTEGER PRIMARY KEY, Name TEXT NOT NULL UNIQUE, Picture BLOB);
        CREATE TABLE Product(ProductID INTEGER PRIMARY KEY, Name VARCHAR(20) NOT NULL, Price NUMERIC(10,2) DEFAULT 1,
          Stock SMALLINT NOT NULL DEFAULT 0 CHECK (Stock >= 0), CategoryID INTEGER REFERENCES Category,
          Made DATETIME, Note TEXT DEFAULT 'none');
        CREATE TABLE "Order"(OrderID INTEGER PRIMARY KEY, Customer TEXT NOT NULL);
        CREATE TABLE "Order Item"(OrderID INTEGER NOT NULL REFERENCES "Order", ProductID INTEGER NOT NULL
          REFERENCES Product, Quantity INTEGER NOT NULL, PRIMARY KEY (OrderID, ProductID)) WITHOUT ROWID;
        CREATE TABLE Photo(PhotoID INTEGER PRIMARY KEY, Title TEXT NOT NULL, Taken DATE NOT NULL,
          ProductID INTEGER REFERENCES Product, Image BLOB);
        CREATE TABLE Label(Code UUID PRIMARY KEY, Text TEXT, Scan BLOB) WITHOUT ROWID;
        INSERT INTO Category VALUES (1, 'Drinks', x'FFD8FF00'), (2, 'Food', NULL);
        INSERT INTO Product(ProductID, Name, CategoryID, Made) VALUES
          (1, 'Tea', 1, '2024-01-02 03:04:05.000'), (2, 'Coffee', 1, NULL), (3, 'Bread', 2, NULL);
        INSERT INTO "Order" VALUES (1, 'Ann');
        INSERT INTO "Order Item" VALUES (1, 1, 5), (1, 2, 6);
        INSERT INTO Photo VALUES (1, 'A cup', '2024-05-06', 1, x'89504E470D0A1A0A01020304');
        INSERT INTO Label VALUES ('01234567-89ab-cdef-0123-456789abcdef', 'L', x'0102');
        """

    static func file() throws -> SampleFile { try SampleFile(sql, name: "shop.db") }
}
