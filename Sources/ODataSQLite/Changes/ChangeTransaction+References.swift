import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `POST Categories(1)/Products/$ref`, `PUT Products(1)/Category/$ref`
    ///
    /// [OData-Protocol, section 11.4.6]
    func addReference(_ reference: EntityReference, _ request: ChangeRequest) throws -> ChangeResult {
        let (source, relation) = try navigationEnd(request.target)
        try Precondition(request).check([try access.etag(of: source.row, in: source.table)].compactMap(\.self))
        try link(source, relation, to: try resolve(reference))
        return try result(.updated, source, request)
    }

    /// `DELETE Products(1)/Category/$ref`, `DELETE Categories(1)/Products(2)/$ref`, `…/Products/$ref?$id=Products(2)`
    func removeReference(_ reference: EntityReference?, _ request: ChangeRequest) throws -> ChangeResult {
        let (source, relation) = try navigationEnd(request.target)
        try Precondition(request).check([try access.etag(of: source.row, in: source.table)].compactMap(\.self))
        guard relation.isCollection else {
            if let reference { _ = try member(reference, of: relation, from: source) }
            try unlinkAll(source, relation)
            return try result(.updated, source, request)
        }
        let member: LocatedEntity
        if let reference {
            member = try self.member(reference, of: relation, from: source)
        } else {
            member = try require(request.target)
            guard try isMember(member, of: relation, from: source) else { throw Self.noMember(relation) }
        }
        try unlink(source, relation, member)
        return try result(.updated, source, request)
    }

    private func member(
        _ reference: EntityReference, of relation: WritableNavigation, from source: LocatedEntity
    ) throws -> LocatedEntity {
        guard let member = try find(reference), try isMember(member, of: relation, from: source) else {
            throw Self.noMember(relation)
        }
        return member
    }

    private static func noMember(_ relation: WritableNavigation) -> ODataError {
        ODataError(.notFound, "The entity is not a member of \(relation.navigation.name).")
    }

    private func isMember(_ member: LocatedEntity, of relation: WritableNavigation, from source: LocatedEntity) throws
        -> Bool
    {
        guard member.table.set == relation.target.set else { return false }
        switch relation.mapping {
        case .columns(let pairs, _):
            let held = try access.stored(pairs.map(\.target), of: member.row, in: member.table)
            return try held == access.stored(pairs.map(\.source), of: source.row, in: source.table)
        case .linkTable(let table, let from, let to, _, _):
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM \(quoted(table)) WHERE \(quoted(from)) = ? AND \(quoted(to)) = ?)
                    """, arguments: [source.row.rowID, member.row.rowID]) ?? false
        }
    }

    /// The entity before the last navigation property of a path, and that property.
    private func navigationEnd(_ path: ResourcePath) throws -> (LocatedEntity, WritableNavigation) {
        let position = path.segments.lastIndex { if case .navigation = $0 { true } else { false } }
        guard let position, case .navigation(let navigation, _) = path.segments[position] else {
            throw ODataError(.badRequest, "The path does not lead to a navigation property.")
        }
        let source = try locate(ResourcePath(root: path.root, segments: Array(path.segments[..<position])))
        guard let source else { throw ODataError(.notFound, "There is no such entity.") }
        try requireWritable(source.table, for: .update)
        return (source, try relation(navigation.name, of: source))
    }
}
