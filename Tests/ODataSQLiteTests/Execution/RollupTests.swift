import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `groupby` with `rolluprecursive`. [OData-Aggregation, section 6.3]
@Suite struct RollupTests {
    /// `rolluprecursive($root/Orgs,Tree,Org/ID)`, of the nodes from `node` downwards.
    private static func tree(_ path: String, from node: String? = nil) -> String {
        let part = node.map { ",descendants($root/Orgs,Tree,ID,filter(ID eq '\($0)'),keep start)" }
        return "rolluprecursive($root/Orgs,Tree,\(path)\(part ?? ""))"
    }

    private static func sales(_ groups: String..., then steps: String = "aggregate($count as N)") -> String {
        "Sales?$apply=groupby((\(groups.joined(separator: ","))),\(steps))"
    }

    private static let sum = "aggregate(Amount with sum as Sum)"
    private static let isBelowE =
        "Aggregation.isdescendant(HierarchyNodes=$root/Orgs,HierarchyQualifier='Tree',Node=Org/ID,Ancestor='E',"
        + "IncludeSelf=true)"

    static let relatedCases: [(String, String)] = [
        (
            sales(tree("Org/ID"), then: sum),
            "Sum=40[E] Sum=8[EC] Sum=null[O] Sum=47[S] Sum=7[U] Sum=2[UE] Sum=4[UW]"
        ),
        (sales(tree("Org/ID")), "N=2[E] N=1[EC] N=0[O] N=5[S] N=3[U] N=1[UE] N=1[UW]"),
        (sales(tree("Org/ID", from: "U")), "N=3[U] N=1[UE] N=1[UW]"),
        (sales(tree("Org/ID", from: "none")), ""),
        ("Sales?$apply=filter(Amount gt 4)/groupby((\(tree("Org/ID", from: "E"))),\(sum))", "Sum=40[E] Sum=8[EC]"),
        // What the steps make of no instances is there too, groups of values are not.
        (sales(tree("Org/ID", from: "U"), then: "filter(Place eq 'b')/\(sum)"), "Sum=1[U] Sum=null[UE] Sum=null[UW]"),
        (
            sales("Place", tree("Org/ID")),
            "Place=a N=1[E] Place=b N=1[E] Place=b N=1[EC] Place=a N=3[S] Place=b N=2[S] Place=a N=2[U]"
                + " Place=b N=1[U] Place=a N=1[UE] Place=a N=1[UW]"
        ),
        (sales("rollup($all,Place)", tree("Org/ID", from: "UE")), "Place=a N=1[UE] N=1[UE]"),
        (
            sales(tree("Org/ID", from: "U"), then: "topcount(1,Amount)") + "&$select=ID",
            "ID=2[U] ID=1[UE] ID=2[UW]"
        ),
        // Only the identifier is known where no relation leads to the node.
        (sales(tree("OrgID", from: "U")), "OrgID=U N=3 OrgID=UE N=1 OrgID=UW N=1"),
        (sales(tree("Shares/ID")) + "&$select=N", "N=1 N=1 N=0 N=3 N=2 N=1 N=1"),
        (
            sales(tree("Shares/Name", from: "U")),
            "Shares=[{Name=U}] N=0 Shares=[{Name=UE}] N=0 Shares=[{Name=UW}] N=0"
        ),
        (sales(tree("Org/Superordinate/ID", from: "U")) + "&$select=N", "N=2 N=0 N=0"),
        // Two hierarchies: all pairs of their nodes.
        (
            sales(tree("Org/ID", from: "U"), tree("OrgID", from: "UE")),
            "OrgID=UE N=1[U] OrgID=UE N=1[UE] OrgID=UE N=0[UW]"
        ),
    ]

    @Test("Instances related to nodes", arguments: relatedCases)
    func related(_ url: String, _ expected: String) async throws {
        #expect(try await OrganisationDatabase().keys(url) == expected)
    }

    static let nodeCases: [(String, String)] = [
        ("Orgs?$apply=groupby((\(tree("ID"))),aggregate($count as N))", "E EC O S U UE UW"),
        ("Orgs?$apply=groupby((\(tree("ID"))),aggregate($count as N))&$filter=N gt 2", "S U"),
        (
            "Orgs?$apply=groupby((\(tree("ID"))),aggregate($count as N)/compute(N sub 1 as Below))"
                + "&$orderby=Below desc,Name",
            "S U E EC O UE UW"
        ),
        ("Orgs?$apply=filter(ID ne 'UE')/groupby((\(tree("ID"))),aggregate($count as N))&$filter=N eq 0", "UE"),
        (
            "Orgs?$apply=groupby((\(tree("ID"))),aggregate($count as N))&$expand=Superordinate&$filter=N gt 1",
            "E[S] S U[S]"
        ),
        (
            "Orgs?$apply=groupby((\(tree("ID"))),aggregate($count as N))&$expand=Parents&$filter=length(ID) eq 2",
            "EC[E U] UE[U] UW"
        ),
        (
            "Orgs?$expand=Parents($apply=groupby((\(tree("ID", from: "U"))),aggregate($count as N)))"
                + "&$filter=ID eq 'EC'",
            "EC[U UE UW]"
        ),
    ]

    @Test("Nodes themselves", arguments: nodeCases)
    func nodes(_ url: String, _ expected: String) async throws {
        #expect(try await OrganisationDatabase().keys(url) == expected)
        #expect(try await OrganisationDatabase().keys(url, pageSize: 2) == expected)
    }

    static let stepCases: [(String, String)] = [
        (
            sales(
                tree("Org/ID", from: "U"),
                then: "compute(case(Org eq Aggregation.rollupnode():Amount) as Own)"
                    + "/aggregate(Amount with sum as All,Own with sum as Excl)"),
            "All=7 Excl=1[U] All=2 Excl=2[UE] All=4 Excl=4[UW]"
        ),
        (
            sales(tree("OrgID", from: "U"), then: "filter(OrgID eq Aggregation.rollupnode()/ID)/\(sum)"),
            "OrgID=U Sum=1 OrgID=UE Sum=2 OrgID=UW Sum=4"
        ),
        (
            sales(
                tree("Org/ID", from: "U"), tree("OrgID", from: "UE"),
                then: "filter(Org/ID eq Aggregation.rollupnode(Position=2)/ID)/aggregate($count as N)"),
            "OrgID=UE N=1[U] OrgID=UE N=1[UE] OrgID=UE N=0[UW]"
        ),
        (
            "Orgs?$apply=groupby((\(tree("ID"))),filter($it ne Aggregation.rollupnode())/aggregate($count as N))"
                + "&$filter=N gt 0",
            "E S U"
        ),
        (sales(tree("Org/ID"), then: sum) + "/filter(\(isBelowE))", "Sum=40[E] Sum=8[EC]"),
        (
            sales(tree("Org/ID"), then: sum) + "/traverse($root/Orgs,Tree,Org/ID,preorder)",
            "Sum=null[O] Sum=47[S] Sum=40[E] Sum=8[EC] Sum=7[U] Sum=2[UE] Sum=4[UW]"
        ),
    ]

    @Test("The node inside the steps, and what follows", arguments: stepCases)
    func steps(_ url: String, _ expected: String) async throws {
        #expect(try await OrganisationDatabase().keys(url) == expected)
    }

    static let refusals: [(String, ODataError.Code, String)] = [
        (sales("rolluprecursive($root/Orgs,Net,Org/ID)"), .notImplemented, "several parents"),
        (sales("rolluprecursive($root/Orgs,Treee,Org/ID)"), .badRequest, "Treee"),
        (sales("rolluprecursive($root/Orgs,Tree,Amount)"), .badRequest, "Edm.Int32"),
        ("Sales?$filter=Org eq Aggregation.rollupnode()", .badRequest, "rolluprecursive"),
        (
            sales(tree("Org/ID"), then: "filter(Org eq Aggregation.rollupnode(Position=2))/\(sum)"), .badRequest,
            "rolluprecursive 2"
        ),
        (sales(tree("Org/ID"), then: "filter(Org eq Aggregation.rollupnode(Place=2))/\(sum)"), .badRequest, "Place"),
        (sales(tree("Org/ID"), then: "filter(Org eq Aggregation.rollupnode)/\(sum)"), .badRequest, "Parameters"),
    ]

    @Test("What is refused", arguments: refusals)
    func refused(_ url: String, _ code: ODataError.Code, _ name: String) async throws {
        let database = try OrganisationDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await database.keys(url) }
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code == code, "\(url): \(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(url): \(found?.message ?? "")")
    }
}
