extension ConformanceSample {
    static let trade = """
        INSERT INTO Categories(CategoryID, Name, Description) VALUES
            (1, 'Beverages', 'Soft drinks, coffees & teas'), (2, 'Condiments', NULL), (3, 'Produce', 'Dried fruit'),
            (4, 'Empty', NULL);
        INSERT INTO Suppliers VALUES
            (1, 'Exotic Liquids', 'London', 'GB', 4), (2, 'Grandma''s Kitchen', 'Ann Arbor', 'US', 5),
            (3, 'Łódź Foods', 'Łódź', 'PL', NULL), (4, 'No City', NULL, NULL, 1);
        INSERT INTO Products VALUES
            (1, 'Chai', 1, 1, 18.00, 0.5, 39, 0, '2020-01-15', '2024-02-29 13:45:30.250'),
            (2, 'Chang', 1, 1, 19.00, 0.75, 17, 0, '2021-06-30', '2024-03-01 00:00:00.000'),
            (3, 'Aniseed Syrup', 2, 1, 10.00, 1.25, 13, 0, '2019-12-31', NULL),
            (4, 'Cajun Seasoning', 2, 2, 22.00, NULL, 53, 0, '2022-02-28', '2024-12-31 23:59:59.999'),
            (5, 'Gumbo Mix', 2, 2, 21.35, 2.0, 0, 1, NULL, NULL),
            (6, 'Boysenberry Spread', 2, 2, 25.00, 1.5, 120, 0, '2021-06-30', '2023-01-01 12:00:00.000'),
            (7, 'Dried Pears', 3, 3, 30.00, 0.25, 15, 0, '2024-02-29', NULL),
            (8, 'Cranberry Sauce', 2, NULL, 40.00, NULL, 6, 0, NULL, '2022-07-04 08:30:00.500'),
            (9, '100% Juice', NULL, NULL, NULL, NULL, 29, 1, NULL, NULL),
            (10, 'Ikura & Roe', NULL, 4, 31.00, 3.5, 31, 0, '2018-05-05', NULL);
        INSERT INTO Customers VALUES
            ('11111111-1111-1111-1111-111111111111', 'Alfreds', 'Berlin', NULL),
            ('22222222-2222-2222-2222-222222222222', 'Bólido', 'Madrid', 'pays late'),
            ('abcdef01-2345-6789-abcd-ef0123456789', 'Chop-suey', NULL, '');
        INSERT INTO Employees VALUES
            (1, 'Ada', 'Stone', NULL, '1960-05-01', 9000.50), (2, 'Ben', 'Reed', 1, '1970-12-24', 7000.00),
            (3, 'Cleo', 'Wood', 1, NULL, 7000.00), (4, 'Dan', 'O''Neil', 2, '1985-02-28', NULL);
        INSERT INTO Territories VALUES ('01581', 'Westboro'), ('01730', 'Bedford'), ('A/B', 'Slash & Co');
        INSERT INTO EmployeeTerritories VALUES (1, '01581'), (1, '01730'), (2, 'A/B');
        INSERT INTO Orders VALUES
            (100, '11111111-1111-1111-1111-111111111111', 1, '2024-01-10 08:00:00', '2024-01-12', '17:30:00', 32.38),
            (101, '11111111-1111-1111-1111-111111111111', 2, '2024-02-11 09:15:30', NULL, NULL, 11.61),
            (102, '22222222-2222-2222-2222-222222222222', 2, '2024-02-11 23:59:59', '2024-02-29', '08:00:00', 0.00),
            (103, '22222222-2222-2222-2222-222222222222', NULL, '2023-12-31 23:59:59', '2024-01-01', NULL, NULL),
            (104, NULL, 4, '2024-03-01 00:00:00', NULL, '12:00:00', 100.00);
        INSERT INTO "Order Details" VALUES
            (100, 1, 10, 18.00, 0), (100, 2, 5, 19.00, 0.1), (101, 1, 1, 18.00, 0), (101, 3, 20, 9.50, 0.25),
            (102, 7, 3, 30.00, 0), (103, 10, 2, 31.00, 0.05);
        INSERT INTO Photos(PhotoID, ProductID, Caption) VALUES
            (1, 1, 'Tea'), (2, 1, NULL), (3, 7, 'Pears'), (4, NULL, 'Nothing');
        """

    static let values = """
        INSERT INTO Settings VALUES
            ('a/b', 'slash'), ('O''Neil', 'quote'), ('ü', 'umlaut'), ('x y', 'blank'), ('50%', 'percent'),
            ('a+b', 'plus'), ('q?', 'question'), ('#h', 'hash'), ('(1)', 'parentheses'), ('a,b=c', 'comma'),
            ('', 'empty');
        INSERT INTO Numbers VALUES
            (1, 0, 0, 0, 0, 0, 0.0),
            (2, 255, 32767, 2147483647, 9223372036854775807, 123456789012.3456, 1.5),
            (3, 7, -7, -7, -9223372036854775808, -2.5, -1.5),
            (4, NULL, NULL, NULL, NULL, NULL, NULL),
            (5, 10, 100, 1000, 10000, 0.0001, 2.5),
            (6, 1, 3, 5, 9007199254740993, 3.5, 0.1);
        INSERT INTO Instants VALUES
            (1, '2024-02-29 13:45:30.250', '2024-02-29', '13:45:30.250'),
            (2, '1999-12-31 23:59:59.999', '1999-12-31', '23:59:59'),
            (3, '2000-01-01 00:00:00.000', '2000-01-01', '00:00:00'),
            (4, NULL, NULL, NULL),
            (5, '1969-07-20 20:17:40.000', '1969-07-20', '20:17:40');
        INSERT INTO Texts VALUES
            (1, 'Alfreds Futterkiste', 'Futter'), (2, '  spaces  ', NULL), (3, 'ÄÖÜ äöü', 'ö'), (4, '', ''),
            (5, NULL, NULL), (6, '100% of it_s', '%'), (7, 'O''Neil', ''''), (8, '日本語テキスト', '本'),
            (9, 'emoji 😀 end', '😀'), (10, 'aaa', 'a');
        """
}
