/// Tables of another program, with what the tables of a declared model do not have: constraints, defaults, cascades.
enum PublishedTables {
    static let sql = """
        CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY NOT NULL, Name TEXT NOT NULL UNIQUE,
            City TEXT DEFAULT 'Turku');
        CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers(CustomerID),
            Amount NUMERIC(10,2), Note VARCHAR(20) CHECK (Note <> 'refused'), Rank INTEGER NOT NULL DEFAULT 1);
        CREATE TABLE Items (OrderID INTEGER NOT NULL REFERENCES Orders(OrderID) ON DELETE CASCADE,
            LineNo INTEGER NOT NULL, Quantity INTEGER NOT NULL, PRIMARY KEY (OrderID, LineNo));
        CREATE TABLE Photos (PhotoID INTEGER PRIMARY KEY, Title TEXT,
            OrderID INTEGER REFERENCES Orders(OrderID) ON DELETE SET NULL, Image BLOB);
        INSERT INTO Customers (CustomerID, Name) VALUES ('A', 'Alpha'), ('B', 'Beta'), ('C', 'Gamma');
        INSERT INTO Orders (OrderID, CustomerID, Amount, Note) VALUES (1, 'A', 10.5, 'one'), (2, 'A', 20, NULL),
            (899, NULL, NULL, NULL);
        INSERT INTO Items VALUES (1, 1, 5), (1, 2, 6), (2, 1, 7);
        INSERT INTO Photos VALUES (1, 'first', 1, CAST('content' AS BLOB)), (899, 'last', NULL, CAST('end' AS BLOB));
        """

    static let queries = ["Customers", "Orders", "Items", "Photos"]
}
