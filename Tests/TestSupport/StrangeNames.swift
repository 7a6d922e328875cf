/// A file whose tables, columns and texts have names that SQL, JSON paths or a translator could take for a mark.
package enum StrangeNames {
    package static let script = #"""
        CREATE TABLE "Boss{link}" ("id{row}" INTEGER PRIMARY KEY, "na?me:x" TEXT);
        INSERT INTO "Boss{link}" VALUES (1, '{row}'), (2, 'b''?');
        CREATE TABLE "p{row}""q?" ("id" INTEGER PRIMARY KEY, "a{row}b" TEXT, "n{link}:1" INTEGER, "q""x'y?" REAL,
            "boss{row}" INTEGER REFERENCES "Boss{link}"("id{row}"), "photo{row}" BLOB);
        INSERT INTO "p{row}""q?" VALUES (1, '{row}', 5, 1.5, 1, x'00ff'), (2, '{link}', 7, 2.5, 1, NULL),
            (3, 'a?b:c', NULL, -1, 2, x'01'), (4, '''"', 5, 0, NULL, NULL);
        """#

    /// Each `url`, in which `ToBoss` is the navigation property to `Boss_link`, and the `id` of each entity, or all properties of what `$apply` makes.
    package static let reads: [(url: String, rows: String)] = [
        ("p_row_q", "1 2 3 4"), ("p_row_q(2)", "2"), ("p_row_q?$filter=a_row_b eq '{row}'", "1"),
        ("p_row_q?$filter=a_row_b in ('{link}','a?b:c')", "2 3"), ("p_row_q?$filter=contains(a_row_b,'?')", "3"),
        ("p_row_q?$filter=a_row_b eq '''\"'", "4"), ("p_row_q?$filter=n_link_1 gt 5", "2"),
        ("p_row_q?$filter=n_link_1 eq null", "3"), ("p_row_q?$orderby=q_x_y desc", "2 1 4 3"),
        ("p_row_q?$orderby=a_row_b,id&$top=2&$skip=1", "3 2"),
        ("p_row_q?$filter=ToBoss/na_me_x eq '{row}'", "1 2"),
        ("p_row_q?$orderby=ToBoss/na_me_x desc,id", "1 2 3 4"),
        ("p_row_q?$search=link", "2"), ("p_row_q?$compute=n_link_1 mul 2 as D&$filter=D eq 14", "2"),
        ("Boss_link?$filter=p_row_q/any(p:p/a_row_b eq '{link}')", "1"),
        ("Boss_link?$filter=p_row_q/$count gt 1", "1"), ("Boss_link(1)/p_row_q", "1 2"),
        ("p_row_q?$apply=filter(n_link_1 eq 5)", "1 4"),
    ]
}
