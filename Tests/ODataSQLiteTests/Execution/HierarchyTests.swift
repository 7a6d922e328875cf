import GRDB
import ODataModel
import ODataQuery
import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

/// Recursive hierarchies. [OData-Aggregation, sections 5.5.2 and 6.2]
@Suite struct HierarchyTests {
    private static let tree = "$root/Orgs,Tree,ID"

    private static func test(_ cases: [(String, String)]) async throws {
        let database = try OrganisationDatabase()
        for (url, expected) in cases {
            let keys = try await database.keys(url)
            #expect(keys == expected, "\(url)")
        }
    }

    /// `Orgs?$filter=Aggregation.isroot(HierarchyNodes=$root/Orgs,HierarchyQualifier='Tree',Node=ID)`
    private static func orgs(_ function: String, _ rest: String, tree: String = "Tree") -> String {
        "Orgs?$filter=Aggregation.\(function)(HierarchyNodes=$root/Orgs,HierarchyQualifier='\(tree)',\(rest))"
    }

    @Test("Ancestors and descendants among the nodes themselves")
    func related() async throws {
        try await Self.test([
            (
                "Orgs?$apply=ancestors(\(Self.tree),filter(contains(Name,'East') or contains(Name,'Central')))",
                "E S U"
            ),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(Name eq 'US East'),keep start)", "S U UE"),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(ID eq 'UE' or ID eq 'U'))", "S U"),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(ID eq 'UE'),1)", "U"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(Name eq 'US'),keep start)", "U UE UW"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'))", "E EC U UE UW"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'),1)", "E U"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'),1,keep start)", "E S U"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'),2)", "E EC U UE UW"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'none'),keep start)", ""),
            ("Orgs?$apply=descendants(\(Self.tree),identity,keep start)/filter(Name lt 'N')", "E EC S"),
            // The start and what is left are parts of the input.
            ("Orgs?$apply=filter(ID ne 'U')/descendants(\(Self.tree),filter(ID eq 'S'))", "E EC UE UW"),
            ("Orgs?$apply=orderby(Name desc)/descendants(\(Self.tree),filter(ID eq 'S'))", "UW UE U EC E"),
            ("Orgs?$apply=descendants(\(Self.tree),topcount(1,length(Name)))", "E EC U UE UW"),
            (
                "Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'U'),keep start)"
                    + "/ancestors(\(Self.tree),filter(contains(Name,'East')),keep start)",
                "U UE"
            ),
            // Only a part of the nodes.
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'),filter(ID ne 'U'))", "E EC"),
            ("Orgs?$apply=descendants($root/Orgs/$filter(ID ne 'U'),Tree,ID,filter(ID eq 'S'))", "E EC"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'U'),filter(ID ne 'U'),keep start)", ""),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'),orderby(ID)/top(4))", "E EC"),
            // Other options and transformations go on with the entities.
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'))&$filter=length(ID) eq 1&$orderby=ID desc", "U E"),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'S'))/aggregate($count as N)", "N=5"),
        ])
    }

    @Test("Instances that are related to nodes")
    func relatedInstances() async throws {
        try await Self.test([
            ("Sales?$apply=descendants($root/Orgs,Tree,Org/ID,filter(Org/ID eq 'U'),keep start)", "1 2 4"),
            ("Sales?$apply=descendants($root/Orgs,Tree,OrgID,filter(OrgID eq 'U'))", "1 2"),
            ("Sales?$apply=ancestors($root/Orgs,Tree,Org/ID,filter(ID eq 1))", "4"),
            ("Sales?$apply=ancestors($root/Orgs,Tree,Org/ID,filter(Amount gt 1),keep start)", "1 2 3 4 6"),
            ("Sales?$apply=descendants($root/Orgs,Tree,Shares/ID,filter(ID eq 3))", "1 2"),
            ("Sales?$apply=ancestors($root/Orgs,Tree,Shares/ID,filter(ID eq 1),keep start)", "1 3"),
            // In groups each stands alone.
            (
                "Sales?$apply=compute(duration'PT1H' as Length)/groupby((Length),"
                    + "descendants($root/Orgs,Tree,Org/ID,filter(Org/ID eq 'U'),keep start)/aggregate($count as N))",
                "Length=PT1H N=3"
            ),
            (
                "Sales?$apply=groupby((Place),ancestors($root/Orgs,Tree,Org/ID,filter(Amount lt 10),keep start)"
                    + "/aggregate(Amount with sum as Sum))&$orderby=Place",
                "Place=a Sum=6 Place=b Sum=9"
            ),
            (
                "Sales?$apply=groupby((Place),descendants($root/Orgs,Tree,Org/ID,filter(Org/ID eq 'U')))",
                ""
            ),
            (
                "Orgs?$expand=Parents($apply=ancestors($root/Orgs,Tree,ID,filter(ID ne 'S'),keep start))"
                    + "&$filter=length(ID) eq 2",
                "EC[E U] UE[U] UW"
            ),
            (
                "Sales?$apply=concat(filter(ID eq 6),descendants($root/Orgs,Tree,Org/ID,filter(Org/ID eq 'U')))"
                    + "&$select=ID",
                "6 1 2"
            ),
        ])
    }

    @Test("Nodes with several parents, identifiers that are not keys, circles")
    func nets() async throws {
        try await Self.test([
            ("Orgs?$apply=ancestors($root/Orgs,Net,ID,filter(ID eq 'EC'))", "E S U"),
            ("Orgs?$apply=descendants($root/Orgs,Net,ID,filter(ID eq 'U'))", "EC UE"),
            ("Orgs?$apply=descendants($root/Orgs,Net,ID,filter(ID eq 'S'),2,keep start)", "E EC S U UE"),
            ("Orgs?$apply=descendants($root/Orgs,Marks,Mark,filter(ID eq 'U'),keep start)", "U UW"),
            (
                Self.orgs("isdescendant", "Node=Mark,Ancestor=30010203-0405-0607-0809-0a0b0c0d0e0f", tree: "Marks"),
                "E EC U UW"
            ),
            ("Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'X'))", "X Y"),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(ID eq 'X'),1)", "Y"),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(ID eq 'X'),32000,keep start)", "X Y"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='X',MaxDistance=32000"), "X Y"),
            (Self.orgs("isancestor", "Node=ID,Descendant=Superordinate/ID"), "X Y"),
        ])
    }

    @Test("Functions that ask about a node")
    func functions() async throws {
        let nodes = "HierarchyNodes=$root/Orgs,HierarchyQualifier='Tree'"
        try await Self.test([
            (Self.orgs("isnode", "Node=ID"), "E EC O S U UE UW X Y"), (Self.orgs("isnode", "Node=Name"), "X Y"),
            (Self.orgs("isroot", "Node=ID"), "O S"), (Self.orgs("isleaf", "Node=ID"), "EC O UE UW"),
            (Self.orgs("isroot", "Node=Superordinate/ID"), "E U"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='S'"), "E EC U UE UW"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='S',MaxDistance=1"), "E U"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='U',IncludeSelf=true"), "U UE UW"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='none',IncludeSelf=true"), ""),
            (Self.orgs("isancestor", "Node=ID,Descendant='UE'"), "S U"),
            (Self.orgs("isancestor", "Node=ID,Descendant='UE',MaxDistance=1,IncludeSelf=true"), "U UE"),
            (Self.orgs("isancestor", "Node='S',Descendant=ID"), "E EC U UE UW"),
            (Self.orgs("isdescendant", "Node='UE',Ancestor=ID"), "S U"),
            (Self.orgs("issibling", "Node=ID,Other='UE'"), "UW"), (Self.orgs("issibling", "Node=ID,Other='S'"), "O"),
            (Self.orgs("issibling", "Node=ID,Other='EC'"), ""),
            (Self.orgs("isroot", "Node=null"), ""), (Self.orgs("isdescendant", "Node=ID,Ancestor=null"), ""),
            ("Orgs?$filter=not Org.OData.Aggregation.V1.isleaf(\(nodes),Node=ID)", "E S U X Y"),
            ("Orgs?$filter=Aggregation.isroot(\(nodes),Node=ID) and contains(Name,'Sales')", "S"),
            (
                "Orgs?$filter=Aggregation.isroot(HierarchyNodes=@n,HierarchyQualifier=@q,Node=ID)"
                    + "&@n=$root/Orgs&@q='Tree'",
                "O S"
            ),
            ("Sales?$filter=Aggregation.isdescendant(\(nodes),Node=Org/ID,Ancestor='S',MaxDistance=1)", "4 6"),
            ("Sales?$filter=Aggregation.isdescendant(\(nodes),Node=OrgID,Ancestor=$root/Orgs('U')/ID)", "1 2"),
            // Null is no node.
            ("Sales?$filter=not Aggregation.isdescendant(\(nodes),Node=OrgID,Ancestor='U')", "3 4 5 6"),
            ("Sales?$filter=not Aggregation.isdescendant(\(nodes),Node=OrgID,Ancestor='UE')", "1 2 3 4 5 6"),
            ("Sales?$filter=not Aggregation.isnode(\(nodes),Node=OrgID)", "5"),
            ("Sales?$filter=Shares/any(s:Aggregation.isdescendant(\(nodes),Node=s/ID,Ancestor='U'))", "1 2"),
            ("Sales?$filter=Shares/any(s:Aggregation.isancestor(\(nodes),Node=s/ID,Descendant=OrgID))", "3"),
            (
                "Orgs?$filter=Aggregation.isroot(HierarchyNodes=$root/Orgs/$filter(ID ne 'S'),"
                    + "HierarchyQualifier='Tree',Node=ID)",
                "E O U"
            ),
            (
                "Orgs?$compute=Aggregation.isleaf(\(nodes),Node=ID) as Leaf&$filter=Leaf&$orderby=Leaf,ID desc",
                "UW UE O EC"
            ),
            (
                "Orgs?$expand=Parents($filter=Aggregation.isroot(\(nodes),Node=ID))&$filter=length(ID) eq 1",
                "E[S] O S U[S] X Y"
            ),
            ("Orgs/$filter(Aggregation.isroot(\(nodes),Node=ID))", "O S"),
        ])
    }

    @Test("The order of a tree")
    func traverse() async throws {
        try await Self.test([
            ("Orgs?$apply=traverse(\(Self.tree),preorder)", "O S E EC U UE UW"),
            ("Orgs?$apply=traverse(\(Self.tree),postorder)", "O EC E UE UW U S"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder,ID desc)", "S U UW UE E EC O"),
            ("Orgs?$apply=traverse(\(Self.tree),postorder,Name desc)", "O UW UE U EC E S"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder,orderby(ID desc))", "S U UW UE E EC O"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder,filter(ID ne 'S'),ID desc)", "U UW UE O E EC"),
            ("Orgs?$apply=filter(length(ID) eq 1)/traverse(\(Self.tree),preorder)", "O S E U"),
            (
                "Orgs?$apply=descendants(\(Self.tree),filter(ID eq 'U'),keep start)/traverse(\(Self.tree),postorder)",
                "UE UW U"
            ),
            ("Sales?$apply=traverse($root/Orgs,Tree,OrgID,preorder)", "6 3 4 1 2"),
            ("Sales?$apply=orderby(Place)/traverse($root/Orgs,Tree,OrgID,postorder)", "3 6 1 2 4"),
            // The node is expanded, unless something else is asked for.
            ("Sales?$apply=traverse($root/Orgs,Tree,Org/ID,preorder)", "6[E] 3[EC] 4[U] 1[UE] 2[UW]"),
            (
                "Sales?$apply=filter(ID lt 4)/traverse($root/Orgs,Tree,Org/Superordinate/ID,postorder)",
                "3[EC[E]] 1[UE[U]] 2[UW[U]]"
            ),
            (
                "Sales?$apply=filter(ID lt 4)/traverse($root/Orgs,Tree,Org/ID,preorder)&$expand=Org($expand=Parents)",
                "3[EC[E U]] 1[UE[U]] 2[UW]"
            ),
            ("Sales?$apply=traverse($root/Orgs,Tree,Org/ID,preorder)/aggregate(Amount with sum as Sum)", "Sum=47"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder)/skip(2)/top(3)", "E EC U"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder)/aggregate($count as N)", "N=7"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder)&$skip=5&$top=5", "UE UW"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder)&$orderby=length(ID)", "O S E U EC UE UW"),
            ("Orgs?$apply=traverse($root/Orgs,Marks,Mark,preorder)", "O S E EC U UW"),
            // Once for each node, which is told in place of the relation.
            ("Sales?$apply=traverse($root/Orgs,Tree,Shares/ID,preorder)", "3 1 1 2"),
            ("Sales?$apply=traverse($root/Orgs,Tree,Shares/ID,postorder)", "1 1 2 3"),
            ("Sales?$apply=traverse($root/Orgs,Tree,Shares/ID,preorder)&$filter=Shares/any(s:s/ID eq 'S')", "3"),
            ("Sales?$apply=traverse($root/Orgs,Tree,Shares/ID,preorder)&$filter=Shares/any(s:s/ID eq 'UE')", "1"),
            ("Sales?$apply=traverse($root/Orgs,Tree,Org/Name,preorder)", ""),
            (
                "Sales?$apply=traverse($root/Orgs,Tree,Shares/ID,preorder)/aggregate($count as N,Amount with sum as S)",
                "N=4 S=16"
            ),
        ])
        let database = try OrganisationDatabase()
        let url = "Orgs?$apply=traverse(\(Self.tree),preorder)"
        #expect(try await database.keys(url, pageSize: 2) == "O S E EC U UE UW")
    }

    @Test("A deep tree is walked")
    func deep() async throws {
        let database = try OrganisationDatabase()
        try await database.pool.write { db in
            try db.execute(
                sql: """
                    DELETE FROM "orgs";
                    WITH RECURSIVE "n"("i") AS (SELECT 0 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 4999)
                    INSERT INTO "orgs" SELECT 'n' || "i", '', iif("i" > 0, 'n' || ("i" - 1), NULL), NULL FROM "n";
                    """)
        }
        for (url, expected) in [
            ("Orgs?$apply=traverse(\(Self.tree),postorder)&$top=2", "n4999 n4998"),
            ("Orgs?$apply=traverse(\(Self.tree),preorder)&$skip=4998", "n4998 n4999"),
            ("Orgs?$apply=ancestors(\(Self.tree),filter(ID eq 'n4999'))/aggregate($count as N)", "N=4999"),
            (Self.orgs("isdescendant", "Node=ID,Ancestor='n4997'"), "n4998 n4999"),
        ] {
            let keys = try await database.keys(url)
            #expect(keys == expected, "\(url)")
        }
    }

    @Test("Random forests, beside plain loops", arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) async throws {
        let forest = Forest(seed: seed, count: 60)
        let database = try OrganisationDatabase()
        try await database.pool.write { db in
            try db.execute(sql: "DELETE FROM \"orgs\"")
            for (node, parent) in forest.parents {
                try db.execute(sql: "INSERT INTO \"orgs\" VALUES (?, ?, ?, NULL)", arguments: [node, node, parent])
            }
        }
        for node in forest.parents.map(\.node).prefix(12) {
            for distance in [1, 2, 3] {
                let up = "Orgs?$apply=ancestors(\(Self.tree),filter(ID eq '\(node)'),\(distance))"
                #expect(try await database.keys(up) == forest.above(node, distance).sorted().joined(separator: " "))
                let down = "Orgs?$apply=descendants(\(Self.tree),filter(ID eq '\(node)'),\(distance),keep start)"
                let below = forest.below(node, distance) + [node]
                #expect(try await database.keys(down) == below.sorted().joined(separator: " "))
            }
            let below = Self.orgs("isdescendant", "Node=ID,Ancestor='\(node)'")
            #expect(try await database.keys(below) == forest.below(node, 60).sorted().joined(separator: " "))
            let above = Self.orgs("isancestor", "Node=ID,Descendant='\(node)'")
            #expect(try await database.keys(above) == forest.above(node, 60).sorted().joined(separator: " "))
        }
        for (kind, isPreorder) in [("preorder", true), ("postorder", false)] {
            let keys = try await database.keys("Orgs?$apply=traverse(\(Self.tree),\(kind),ID desc)")
            #expect(keys == forest.walk(from: nil, isPreorder: isPreorder).joined(separator: " "))
        }
    }

    static let refusals: [(String, String, String)] = [
        ("Orgs?$apply=ancestors($root/Orgs,Treee,ID,identity)", "badRequest", "Treee"),
        ("Sales?$apply=ancestors($root/Sales,Tree,ID,identity)", "badRequest", "Tree of Sales.Sale"),
        ("Orgs?$apply=ancestors($root/Orgs('S'),Tree,ID,identity)", "badRequest", "nodes of a hierarchy"),
        ("Orgs?$apply=ancestors($root/Orgs,Nameless,ID,identity)", "badRequest", "Nameless"),
        ("Orgs?$apply=ancestors($root/Orgs,Lost,ID,identity)", "badRequest", "Nothing"),
        ("Orgs?$apply=ancestors($root/Orgs,Flat,ID,identity)", "badRequest", "ParentNavigationProperty"),
        ("Orgs?$apply=ancestors($root/Orgs,Text,ID,identity)", "badRequest", "Text"),
        ("Sales?$apply=ancestors($root/Orgs,Tree,ID,identity)", "badRequest", "Edm.Int32"),
        ("Orgs?$apply=ancestors($root/Orgs,Tree,ID,identity,0)", "badRequest", "distance"),
        ("Orgs?$apply=ancestors($root/Orgs,Tree,Nothing,identity)", "badRequest", "Nothing"),
        (orgs("isroot", "Nod=ID"), "badRequest", "Nod"), (orgs("isroot", "Node=1"), "badRequest", "eq"),
        ("Orgs?$filter=Aggregation.isroot(HierarchyNodes=$root/Orgs,Node=ID)", "badRequest", "HierarchyQualifier"),
        (orgs("isdescendant", "Node=ID"), "badRequest", "Ancestor"),
        (orgs("isdescendant", "Node=ID,Ancestor='S',MaxDistance=0"), "badRequest", "distance"),
        (orgs("isdescendant", "Node=ID,Ancestor='S',IncludeSelf=ID"), "badRequest", "IncludeSelf"),
        (orgs("isroot", "Node=ID,Node=ID"), "badRequest", "twice"),
        ("Orgs?$filter=Aggregation.isroot", "badRequest", "Parameters have names"),
        ("Orgs?$filter=Aggregation.isroot('S')", "badRequest", "Parameters have names"),
        ("Orgs?$filter=Aggregation.isroot()", "badRequest", "HierarchyNodes"),
        ("Orgs?$apply=traverse($root/Orgs,Net,ID,preorder)", "notImplemented", "several parents"),
        (
            "Orgs?$filter=Aggregation.isroot(HierarchyNodes=Parents,HierarchyQualifier='Net',Node=ID)",
            "notImplemented", "$root"
        ),
    ]

    @Test("What is not a hierarchy is refused by name", arguments: refusals)
    func refused(_ url: String, _ code: String, _ name: String) async throws {
        let database = try OrganisationDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await database.keys(url) }
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code.name == code, "\(url): \(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(url): \(found?.message ?? "")")
    }
}

/// Nodes with their parents, made of a seed.
private struct Forest {
    let parents: [(node: String, parent: String?)]

    init(seed: UInt64, count: Int) {
        var random = SplitMix(seed: seed)
        parents = (0..<count).map { index in
            let parent = random.below(index + 1)
            return ("n\(index + 10)", parent == index ? nil : "n\(parent + 10)")
        }
    }

    func above(_ node: String, _ distance: Int) -> [String] {
        guard distance > 0, let parent = parents.first(where: { $0.node == node })?.parent else { return [] }
        return [parent] + above(parent, distance - 1)
    }

    func below(_ node: String, _ distance: Int) -> [String] {
        guard distance > 0 else { return [] }
        return children(of: node).flatMap { [$0] + below($0, distance - 1) }
    }

    func walk(from node: String?, isPreorder: Bool) -> [String] {
        let own = node.map { [$0] } ?? []
        let below = children(of: node).flatMap { walk(from: $0, isPreorder: isPreorder) }
        return isPreorder ? own + below : below + own
    }

    private func children(of node: String?) -> [String] {
        parents.filter { $0.parent == node }.map(\.node).sorted(by: >)
    }
}
