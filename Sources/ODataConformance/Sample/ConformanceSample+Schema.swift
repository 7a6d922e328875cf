extension ConformanceSample {
    static let schema = """
        CREATE TABLE Categories(
            CategoryID INTEGER PRIMARY KEY, Name VARCHAR(40) NOT NULL UNIQUE, Description TEXT, Image BLOB);
        CREATE TABLE Suppliers(
            SupplierID INTEGER PRIMARY KEY, Name TEXT NOT NULL, City TEXT, Country CHAR(2), Rating INTEGER);
        CREATE TABLE Products(
            ProductID INTEGER PRIMARY KEY, Name TEXT NOT NULL, CategoryID INTEGER REFERENCES Categories,
            SupplierID INTEGER REFERENCES Suppliers, Price DECIMAL(10,2) CHECK (Price >= 0), Weight REAL,
            Stock INTEGER NOT NULL DEFAULT 0, Discontinued BOOLEAN NOT NULL DEFAULT 0, Released DATE,
            UpdatedAt DATETIME);
        CREATE TABLE Customers(
            CustomerID GUID PRIMARY KEY NOT NULL, Name TEXT NOT NULL, City TEXT, Note TEXT);
        CREATE TABLE Employees(
            EmployeeID INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL,
            ReportsTo INTEGER REFERENCES Employees, BirthDate DATE, Salary DECIMAL(12,2));
        CREATE TABLE Territories(TerritoryID VARCHAR(10) PRIMARY KEY NOT NULL, Name TEXT NOT NULL);
        CREATE TABLE EmployeeTerritories(
            EmployeeID INTEGER NOT NULL REFERENCES Employees, TerritoryID VARCHAR(10) NOT NULL REFERENCES Territories,
            PRIMARY KEY (EmployeeID, TerritoryID));
        CREATE TABLE Orders(
            OrderID INTEGER PRIMARY KEY, CustomerID GUID REFERENCES Customers, EmployeeID INTEGER REFERENCES Employees,
            OrderedAt DATETIME NOT NULL, ShippedOn DATE, Cutoff TIME, Freight DECIMAL(8,2));
        CREATE TABLE "Order Details"(
            OrderID INTEGER NOT NULL REFERENCES Orders, ProductID INTEGER NOT NULL REFERENCES Products,
            Quantity INTEGER NOT NULL CHECK (Quantity > 0), UnitPrice DECIMAL(10,2) NOT NULL,
            Discount REAL NOT NULL DEFAULT 0, PRIMARY KEY (OrderID, ProductID));
        CREATE TABLE Photos(
            PhotoID INTEGER PRIMARY KEY, ProductID INTEGER REFERENCES Products, Caption TEXT, Content BLOB);
        CREATE TABLE Settings(Name TEXT PRIMARY KEY NOT NULL, Value TEXT);
        CREATE TABLE Numbers(
            NumberID INTEGER PRIMARY KEY, Tiny TINYINT, Small SMALLINT, Whole INT4, Big BIGINT, Amount DECIMAL(20,4),
            Ratio REAL);
        CREATE TABLE Instants(InstantID INTEGER PRIMARY KEY, At DATETIME, Day DATE, Clock TIME);
        CREATE TABLE Texts(TextID INTEGER PRIMARY KEY, Text TEXT, Other TEXT);
        """
}
