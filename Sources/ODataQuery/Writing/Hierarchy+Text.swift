import ODataModel

extension ExpressionWriter {
    mutating func text(_ test: HierarchyTest) -> String {
        var arguments = [
            "HierarchyNodes=$root/\(test.hierarchy.nodes.text)", "HierarchyQualifier='\(test.hierarchy.qualifier)'",
            "Node=\(text(test.node))",
        ]
        if let name = test.kind.other, let other = test.other { arguments.append("\(name)=\(text(other))") }
        if let distance = test.maxDistance { arguments.append("MaxDistance=\(distance)") }
        if test.includesSelf { arguments.append("IncludeSelf=true") }
        return "\(RecursiveHierarchy.vocabulary).\(test.kind.rawValue)(\(arguments.joined(separator: ",")))"
    }
}

extension RelatedNodes {
    var text: String {
        let sequences = hierarchy.restriction.isEmpty ? [start] : [start, hierarchy.restriction]
        let parts =
            [hierarchy.text, node.text] + sequences.map { ApplyExpression($0).text }
            + (maxDistance.map { ["\($0)"] } ?? []) + (keepsStart ? ["keep start"] : [])
        return (isAncestors ? "ancestors(" : "descendants(") + parts.joined(separator: ",") + ")"
    }
}

extension HierarchyTraversal {
    var text: String {
        let parts =
            [hierarchy.text, node.text, isPreorder ? "preorder" : "postorder"]
            + (hierarchy.restriction.isEmpty ? [] : [ApplyExpression(hierarchy.restriction).text])
            + orderBy.map { $0.text(isNested: false) }
        return "traverse(" + parts.joined(separator: ",") + ")"
    }
}

extension RecursiveRollup {
    var text: String {
        let parts =
            [hierarchy.text, node.text]
            + (hierarchy.restriction.isEmpty ? [] : [ApplyExpression(hierarchy.restriction).text])
        return "rolluprecursive(" + parts.joined(separator: ",") + ")"
    }

    /// `Org.OData.Aggregation.V1.rollupnode(Position=2)`
    static func text(ofNode position: Int) -> String {
        "\(RecursiveHierarchy.vocabulary).rollupnode(" + (position == 1 ? ")" : "Position=\(position))")
    }
}

extension RecursiveHierarchy {
    /// `$root/Orgs,Tree`
    fileprivate var text: String { "$root/\(nodes.text),\(qualifier)" }
}
